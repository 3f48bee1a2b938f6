package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.ClosingRules.Scope;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class GateTests {

	private static final LimitScope SCOPE = new LimitScope("test", "default", "*");

	/** Calls that come one after the other are a nanosecond apart. */
	private static final long A_MOMENT = 1000;

	private Gate gate = new Gate(ClosingRules.DEFAULT, SCOPE);

	private long now;

	@Test
	void aCooldownOfLessThanASecondEndsAtOnce() {
		refuse(admit(), 0.9);
		assertWaits(0.9, "cooldown");
		assertThat(at(0.9).admitAll()).isEqualTo(1000);
	}

	@Test
	void aCrowdThatWasAwayForSecondsComesBackByAndBy() {
		refuse(admit(), 4);
		assertWaits(4, "cooldown");
		assertThat(at(4).admitAll()).isEqualTo(8);
		assertThat(at(5.1).admitAll()).isEqualTo(8);
	}

	@Test
	void aBurstIsSpreadByItsFirstRefusal() {
		long first = admit();
		long second = admit();
		Cooldown cooldown = Cooldown.of(Duration.ofSeconds(10));
		this.gate.refused(cooldown.spreadOver(Duration.ofSeconds(4), 0.25), null, first, this.now);
		assertWaits(11, "cooldown");
		this.gate.refused(cooldown.spreadOver(Duration.ofSeconds(8), 0.75), null, second, this.now);
		assertWaits(12, "cooldown");
	}

	@Test
	void aLongerOneEndsWithOneCallAndTwiceAsManyWithEachResponse() {
		refuse(admit(), 5);
		at(5);
		assertThat(this.gate.state(this.now)).isEqualTo(State.PROBING);
		assertThat(this.gate.check(this.now)).isNull();
		assertThat(this.gate.take(this.now)).isTrue();
		long probe = this.now;
		assertWaits(1, "reopening");
		at(5.2);
		this.gate.answered(probe);
		admit();
		admit();
		assertWaits(1, "reopening");
		this.gate.answered(this.now);
		this.gate.answered(this.now);
		assertThat(admitAll()).isEqualTo(4);
	}

	@Test
	void aSecondWithoutRefusalIsAsGoodAsAResponse() {
		refuse(admit(), 60);
		StringBuilder steps = new StringBuilder();
		for (int second = 60; second < 66; second++) {
			steps.append(at(second).admitAll()).append(' ');
		}
		assertThat(steps).asString().startsWith("1 1 2 4 8 16 ");
		assertThat(at(66).admitAll()).isEqualTo(1000);
	}

	@Test
	void aRefusalDuringTheRampClosesAgainAndStartsItAnew() {
		refuse(admit(), 10);
		at(10).admitAll();
		long first = at(11).admit();
		refuse(first, 2);
		assertWaits(2, "cooldown");
		assertThat(at(13.1).admitAll()).isEqualTo(1);
	}

	@Test
	void withoutRampAllMayGoAtOnce() {
		this.gate = new Gate(new ClosingRules(Scope.LIMIT, List.of(), Duration.ofMinutes(10), false), SCOPE);
		refuse(admit(), 60);
		assertThat(at(60).admitAll()).isEqualTo(1000);
	}

	@Test
	void refusalsOfOneBurstAreOneEvent() {
		long first = admit();
		long second = at(0.5).admit();
		assertThat(at(1).refuse(first, 1)).isNotNull();
		assertThat(at(1.1).refuse(second, 1)).isNull();
		assertThat(this.gate.consecutive()).isEqualTo(1);
		assertWaits(1, "cooldown");
	}

	@ParameterizedTest
	@CsvSource({ "4, 1, COOLING_DOWN", "5, 30, PAUSED", "9, 30, PAUSED", "10, 120, PAUSED", "20, 600, PAUSED" })
	void pausesGrowWithTheRun(int bursts, long seconds, State state) {
		LevelChange last = null;
		for (int i = 0; i < bursts; i++) {
			at(3600 * (i + 1));
			last = refuse(admit(), 1);
		}
		assertThat(this.gate.state(this.now)).isEqualTo(state);
		assertThat(this.gate.closedFor(this.now)).isEqualTo(Duration.ofSeconds(seconds));
		assertThat(last.state()).isEqualTo(state);
		assertThat(last.consecutiveThrottles()).isEqualTo(bursts);
		assertThat(last.alert()).isEqualTo(bursts >= 20);
	}

	@Test
	void theRunEndsWithASuccessOfACallThatStartedAfterTheLastRefusal() {
		long before = admit();
		long refused = at(1).admit();
		at(2).refuse(refused, 1);
		assertThat(this.gate.succeeded(before)).isNull();
		assertThat(this.gate.consecutive()).isEqualTo(1);
		LevelChange change = this.gate.succeeded(at(3).admit());
		assertThat(change.state()).isEqualTo(State.OPEN);
		assertThat(this.gate.consecutive()).isZero();
		assertThat(this.gate.succeeded(admit())).isNull();
	}

	@Test
	void aCooldownOnlyGrows() {
		long first = admit();
		refuse(first, 10);
		refuse(first, 3);
		assertWaits(10, "cooldown");
	}

	@Test
	void aCooldownOfHoursLetsOneCallThroughFromTimeToTime() {
		refuse(admit(), 24 * 3600);
		assertWaits(600, "cooldown");
		at(600);
		assertThat(this.gate.check(this.now)).isNull();
		assertThat(this.gate.take(this.now)).isTrue();
		assertWaits(600, "cooldown");
		LevelChange change = this.gate.succeeded(this.now);
		assertThat(change.state()).isEqualTo(State.OPEN);
		assertThat(this.gate.check(this.now)).isNull();
	}

	@Test
	void aKnownResetOfAQuotaIsBelievedAtOnce() {
		LevelChange change = this.gate.quotaExhausted(Duration.ofMinutes(5), "used up", this.now);
		assertThat(change)
			.isEqualTo(new LevelChange(SCOPE, State.OUT_OF_SERVICE, "used up", Duration.ofMinutes(5), 0, true));
		assertThat(this.gate.check(this.now).kind()).isEqualTo(Verdict.Kind.OUT_OF_SERVICE);
		assertThat(this.gate.check(this.now).waitNanos()).isEqualTo(Duration.ofMinutes(5).toNanos());
	}

	@Test
	void withoutAResetTwoCallsHaveToSayThatAQuotaIsUsedUp() {
		assertThat(this.gate.quotaExhausted(null, "used up", this.now)).isNull();
		assertThat(this.gate.check(this.now)).isNull();
		assertThat(this.gate.quotaExhausted(null, "used up", this.now)).isNotNull();
		assertThat(this.gate.check(this.now).blockedBy().limit()).isEqualTo("quota");
		assertThat(at(600).admit()).isPositive();
		assertThat(this.gate.check(this.now).kind()).isEqualTo(Verdict.Kind.OUT_OF_SERVICE);
	}

	@Test
	void aSuccessInBetweenContradictsTheFirstOfThem() {
		this.gate.quotaExhausted(null, "used up", this.now);
		this.gate.succeeded(at(1).admit());
		assertThat(this.gate.quotaExhausted(null, "used up", this.now)).isNull();
	}

	@Test
	void aBanIsBelievedAtOnce() {
		assertThat(this.gate.banned("locked", this.now).alert()).isTrue();
		assertThat(this.gate.check(this.now).blockedBy().limit()).isEqualTo("ban");
	}

	/** Whatever happens, nobody goes before the last cooldown has ended. */
	@Test
	void nobodyGoesWhileItIsClosed() {
		Random random = new Random(7);
		for (int run = 0; run < 200; run++) {
			this.gate = new Gate(ClosingRules.DEFAULT, SCOPE);
			this.now = 0;
			long until = 0;
			for (int step = 0; step < 200; step++) {
				this.now += random.nextInt(2_000_000_000);
				Verdict verdict = this.gate.check(this.now);
				assertThat(verdict == null || this.now < until || verdict.blockedBy().limit().equals("reopening"))
					.isTrue();
				assertThat(verdict != null || this.now >= until).isTrue();
				if (verdict == null) {
					this.gate.take(this.now);
					if (random.nextInt(3) == 0) {
						Duration cooldown = Duration.ofMillis(random.nextInt(20_000));
						this.gate.refused(Cooldown.of(cooldown), null, this.now, this.now + 1);
						this.now++;
						until = this.now + this.gate.closedFor(this.now).toNanos();
					}
					else if (random.nextBoolean()) {
						this.gate.succeeded(this.now);
					}
				}
			}
		}
	}

	private GateTests at(double seconds) {
		this.now = Math.round(seconds * TimeUnit.SECONDS.toNanos(1)) + A_MOMENT;
		return this;
	}

	private long admit() {
		assertThat(this.gate.check(this.now)).isNull();
		this.gate.take(this.now);
		return this.now++;
	}

	private int admitAll() {
		int admitted = 0;
		while (admitted < 1000 && this.gate.check(this.now) == null) {
			this.gate.take(this.now);
			admitted++;
		}
		return admitted;
	}

	private LevelChange refuse(long admittedAt, double seconds) {
		return this.gate.refused(Cooldown.of(Duration.ofMillis(Math.round(seconds * 1000))), "slow down", admittedAt,
				this.now);
	}

	private void assertWaits(double seconds, String limit) {
		Verdict verdict = this.gate.check(this.now);
		assertThat(verdict).isNotNull();
		assertThat(verdict.waitNanos() / 1e9).isBetween(seconds - 0.001, seconds + 0.001);
		assertThat(verdict.blockedBy().limit()).isEqualTo(limit);
	}

}
