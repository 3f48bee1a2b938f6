package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.Random;

import io.github.llmratelimit.simulator.Decision.Admission;
import io.github.llmratelimit.simulator.Decision.Refused;
import io.github.llmratelimit.simulator.SimulatorOptions.Charging;
import io.github.llmratelimit.simulator.SimulatorOptions.Scope;
import io.github.llmratelimit.simulator.SimulatorOptions.TokenAlgorithm;
import io.github.llmratelimit.simulator.dialect.Call;
import io.github.llmratelimit.simulator.dialect.Levels;
import io.github.llmratelimit.simulator.dialect.Refusal;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SimulatedProvider}, as timelines in nanoseconds.
 */
class SimulatedProviderTests {

	private static final long SECOND = 1_000_000_000L;

	private static final long MINUTE = 60 * SECOND;

	@Test
	void admitsExactlyTheLimitInAnyMinute() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(3));
		admitted(provider, 0);
		admitted(provider, 10);
		admitted(provider, 20);
		Refusal refusal = refused(provider, 30);
		assertThat(refusal.cause()).isEqualTo(Cause.REQUESTS);
		assertThat(refusal.waitNanos()).isEqualTo(MINUTE - 30);
		refused(provider, MINUTE - 1);
		admitted(provider, MINUTE);
		refused(provider, MINUTE + 9);
		admitted(provider, MINUTE + 10);
		assertThat(provider.ledger().highestRequestsInWindow()).isEqualTo(3);
	}

	@Test
	void cutsTheMinuteIntoSlicesThatRoll() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(60).slices(60));
		admitted(provider, SECOND / 2);
		assertThat(refused(provider, SECOND).waitNanos()).isEqualTo(SECOND / 2);
		admitted(provider, SECOND / 2 + SECOND);
	}

	@Test
	void keepsTheMinuteWhenASliceAdmitsAtLeastOne() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(2).slices(60));
		admitted(provider, 0);
		admitted(provider, SECOND);
		assertThat(refused(provider, 2 * SECOND).waitNanos()).isEqualTo(MINUTE - 2 * SECOND);
	}

	@Test
	void scalesTheMinute() {
		SimulatedProvider provider = provider(
				SimulatorOptions.builder().requestsPerMinute(1).minute(Duration.ofSeconds(3)));
		admitted(provider, 0);
		assertThat(refused(provider, SECOND).waitNanos()).isEqualTo(2 * SECOND);
		admitted(provider, 3 * SECOND);
	}

	@Test
	void takesNothingForARefusedCall() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(2).tokensPerMinute(100));
		admitted(provider, call(90), 0);
		assertThat(refused(provider, call(20), 0).cause()).isEqualTo(Cause.TOKENS);
		admitted(provider, call(10), 0);
		assertThat(provider.ledger().tokensCharged()).isEqualTo(100);
	}

	@Test
	void blamesTheLimitThatFreesLast() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(1).tokensPerMinute(60));
		admitted(provider, call(60), 0);
		Refusal refusal = refused(provider, call(30), 0);
		assertThat(refusal.cause()).isEqualTo(Cause.REQUESTS);
		assertThat(refusal.waitNanos()).isEqualTo(MINUTE);
	}

	@Test
	void givesHintsExactToTheNanosecond() {
		for (int seed = 0; seed < 40; seed++) {
			Random random = new Random(seed);
			TokenAlgorithm algorithm = TokenAlgorithm.values()[seed % 2];
			SimulatedProvider provider = provider(SimulatorOptions.builder()
				.requestsPerMinute(random.nextInt(1, 10))
				.tokensPerMinute(random.nextLong(100, 1000))
				.tokenAlgorithm(algorithm)
				.slices(random.nextInt(1, 4)));
			checkHints(provider, random);
		}
	}

	private static void checkHints(SimulatedProvider provider, Random random) {
		long now = 0;
		for (int i = 0; i < 100; i++) {
			now += random.nextLong(5 * SECOND);
			Call call = call(random.nextInt(1, 100));
			if (provider.arrive(call, now) instanceof Refused refused) {
				refused(provider, call, now + refused.refusal().waitNanos() - 1);
				now += refused.refusal().waitNanos();
				admitted(provider, call, now);
			}
		}
	}

	@Test
	void neverAdmitsMoreThanItsLimitsByItsOwnLedger() {
		for (int seed = 0; seed < 20; seed++) {
			Random random = new Random(seed);
			SimulatedProvider provider = provider(SimulatorOptions.builder()
				.requestsPerMinute(20)
				.tokensPerMinute(500)
				.tokenAlgorithm(TokenAlgorithm.ROLLING));
			long now = 0;
			for (int i = 0; i < 2000; i++) {
				now += random.nextLong(SECOND);
				provider.arrive(call(random.nextInt(1, 60)), now);
			}
			assertThat(provider.ledger().highestRequestsInWindow()).isLessThanOrEqualTo(20);
			assertThat(provider.ledger().highestTokensInWindow()).isLessThanOrEqualTo(500).isGreaterThan(400);
		}
	}

	@Test
	void refusesWhatCanNeverFit() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().tokensPerMinute(100));
		Refusal refusal = refused(provider, call(101), 0);
		assertThat(refusal.cause()).isEqualTo(Cause.TOO_LARGE);
		assertThat(refusal.waitNanos()).isZero();
		admitted(provider, call(100), 0);
		assertThat(provider.ledger().refusedTokens()).isEqualTo(1);
	}

	@Test
	void holdsASlotUntilTheCallEnds() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().maxConcurrency(2));
		Admission first = admitted(provider, 0);
		admitted(provider, 0);
		Refusal refusal = refused(provider, 5);
		assertThat(refusal.cause()).isEqualTo(Cause.CONCURRENCY);
		provider.finish(first, 0, 10);
		provider.finish(first, 0, 11);
		admitted(provider, 12);
		refused(provider, 13);
		Ledger ledger = provider.ledger();
		assertThat(ledger.highestConcurrency()).isEqualTo(2);
		assertThat(ledger.refusedConcurrency()).isEqualTo(2);
		assertThat(ledger.lastAccepted()).isEqualTo(Duration.ofNanos(12));
		assertThat(ledger.lastCompleted()).isEqualTo(Duration.ofNanos(10));
	}

	@Test
	void countsRefusedCallsWhenToldTo() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(2).refusedCount(true));
		admitted(provider, 0);
		admitted(provider, 0);
		refused(provider, 30 * SECOND);
		assertThat(refused(provider, 40 * SECOND).waitNanos()).isEqualTo(50 * SECOND);
		refused(provider, 90 * SECOND - 1);
		refused(provider, 90 * SECOND);
		admitted(provider, 150 * SECOND);
		assertThat(provider.ledger().highestRequestsInWindow()).isEqualTo(2);
	}

	@Test
	void bansAnAccountThatIsRefusedTooOften() {
		SimulatedProvider provider = provider(
				SimulatorOptions.builder().requestsPerMinute(1).ban(3, Duration.ofSeconds(10), Duration.ofMinutes(5)));
		admitted(provider, 0);
		refused(provider, 0);
		refused(provider, SECOND);
		refused(provider, 10 * SECOND);
		assertThat(refused(provider, 10 * SECOND + 1).cause()).isEqualTo(Cause.REQUESTS);
		Refusal banned = refused(provider, MINUTE + 10 * SECOND);
		assertThat(banned.cause()).isEqualTo(Cause.BANNED);
		assertThat(banned.waitNanos()).isEqualTo(4 * MINUTE + 1);
		admitted(provider, 5 * MINUTE + 10 * SECOND + 1);
		assertThat(provider.ledger().refusedBanned()).isEqualTo(1);
		assertThat(provider.ledger().refused()).isEqualTo(5);
	}

	@Test
	void letsOthersHaveUsedTheFirstMinute() {
		SimulatedProvider provider = provider(
				SimulatorOptions.builder().requestsPerMinute(60).tokensPerMinute(6000).usedBefore(59, 5000));
		assertThat(refused(provider, call(1001), 0).cause()).isEqualTo(Cause.TOKENS);
		admitted(provider, call(1000), 0);
		assertThat(refused(provider, MINUTE - 1).cause()).isEqualTo(Cause.REQUESTS);
		admitted(provider, MINUTE);
		assertThat(provider.ledger().accepted()).isEqualTo(2);
	}

	@Test
	void letsOthersHaveUsedItWhenTheFirstCallComesLate() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(1).usedBefore(1, 0));
		assertThat(refused(provider, 59 * SECOND).waitNanos()).isEqualTo(SECOND);
	}

	@Test
	void keepsLimitsPerAccount() {
		SimulatedProvider provider = provider(
				SimulatorOptions.builder().requestsPerMinute(1).account("b", "other").account("c", "other"));
		admitted(provider, keyed("a"), 0);
		refused(provider, keyed("unknown"), 0);
		admitted(provider, keyed("b"), 0);
		refused(provider, keyed("c"), 0);
	}

	@Test
	void doesNotCountCallsWithRevokedKeys() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(1).revokeKey("a"));
		assertThat(provider.arrive(keyed("a"), 0)).isInstanceOf(Decision.Unauthorized.class);
		admitted(provider, keyed("b"), 0);
		assertThat(provider.ledger().unauthorized()).isOne();
		assertThat(provider.ledger().refused()).isZero();
		assertThat(provider.ledger().arrivals()).isEqualTo(2);
	}

	@Test
	void keepsLimitsPerKey() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(1).scope(Scope.PER_KEY));
		admitted(provider, keyed("a"), 0);
		admitted(provider, keyed("b"), 0);
		refused(provider, keyed("a"), 0);
	}

	@Test
	void chargesAsTheProviderDoes() {
		assertThat(chargedBy(Charging.ACTUAL)).isEqualTo(100 + 40);
		assertThat(chargedBy(Charging.MAX_TOKENS)).isEqualTo(300);
		assertThat(chargedBy(Charging.PROMPT_PLUS_MAX)).isEqualTo(100 + 300);
	}

	private static long chargedBy(Charging charging) {
		SimulatedProvider provider = provider(SimulatorOptions.builder().tokensPerMinute(1000).charging(charging));
		admitted(provider, chat(100, 300, 40), 0);
		return provider.ledger().tokensCharged();
	}

	@Test
	void chargesInputOnItsOwn() {
		SimulatedProvider provider = provider(
				SimulatorOptions.builder().inputTokensPerMinute(600).tokensPerMinute(10_000));
		admitted(provider, chat(400, 5000, 1), 0);
		Refusal refusal = refused(provider, chat(300, 5000, 1), 0);
		assertThat(refusal.cause()).isEqualTo(Cause.INPUT_TOKENS);
		assertThat(refusal.waitNanos()).isEqualTo(10 * SECOND);
		assertThat(refusal.limit()).isEqualTo(600);
		assertThat(refusal.used()).isEqualTo(400);
		assertThat(refusal.requested()).isEqualTo(300);
		Refusal tooLarge = refused(provider, chat(601, 1, 1), 0);
		assertThat(tooLarge.cause()).isEqualTo(Cause.TOO_LARGE);
		assertThat(tooLarge.limit()).isEqualTo(600);
		admitted(provider, chat(300, 1000, 1), 10 * SECOND);
		assertThat(provider.ledger().refusedTokens()).isEqualTo(2);
	}

	@Test
	void chargesOutputWhenItHasBeenWritten() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().outputTokensPerMinute(60));
		Admission first = admitted(provider, chat(1, 5000, 90), 0);
		Admission second = admitted(provider, chat(1, 5000, 30), 0);
		provider.finish(first, 90, 0);
		Refusal refusal = refused(provider, chat(1, 1, 1), 0);
		assertThat(refusal.cause()).isEqualTo(Cause.OUTPUT_TOKENS);
		assertThat(refusal.waitNanos()).isEqualTo(31 * SECOND);
		provider.finish(second, 30, 0);
		provider.finish(second, 30, 0);
		assertThat(refused(provider, chat(1, 1, 1), 0).waitNanos()).isEqualTo(61 * SECOND);
		Levels levels = admitted(provider, chat(1, 1, 1), 61 * SECOND).levels();
		assertThat(levels).isEqualTo(new Levels(null, null, null, new Levels.Level(60, 1, 59 * SECOND)));
	}

	@Test
	void changesTheLimitsOnInputAndOutput() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().inputTokensPerMinute(100));
		provider.changeLimits(SimulatorOptions.builder().inputTokensPerMinute(10).outputTokensPerMinute(7).build(), 0);
		Levels levels = admitted(provider, chat(4, null, 1), 0).levels();
		assertThat(levels.inputTokens()).isEqualTo(new Levels.Level(10, 6, 24 * SECOND));
		assertThat(levels.outputTokens()).isEqualTo(new Levels.Level(7, 7, 0));
		provider.changeLimits(SimulatorOptions.builder().build(), 0);
		assertThat(admitted(provider, chat(100, null, 1), 0).levels()).isEqualTo(new Levels(null, null));
	}

	@Test
	void cutsTheOutputAtMaxTokens() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().outputTokens(OutputTokens.fixed(500)));
		assertThat(admitted(provider, chat(1, 300, null), 0).outputTokens()).isEqualTo(300);
		assertThat(admitted(provider, chat(1, null, null), 0).outputTokens()).isEqualTo(500);
		assertThat(admitted(provider, chat(1, 300, 40), 0).outputTokens()).isEqualTo(40);
	}

	@Test
	void settlesOnlyWhenToldTo() {
		assertThat(usedAfterTheEnd(true)).isEqualTo(100 + 40);
		assertThat(usedAfterTheEnd(false)).isEqualTo(300);
	}

	private static long usedAfterTheEnd(boolean settles) {
		SimulatedProvider provider = provider(SimulatorOptions.builder().tokensPerMinute(1000).settles(settles));
		Admission admission = admitted(provider, chat(100, 300, 40), 0);
		provider.finish(admission, 40, 0);
		Levels.Level level = admitted(provider, call(0), 0).levels().tokens();
		assertThat(level).isNotNull();
		assertThat(provider.ledger().tokensCharged()).isEqualTo(level.limit() - level.remaining());
		return provider.ledger().tokensCharged();
	}

	@Test
	void failsEveryNthAdmittedCall() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().failEvery(3, 500));
		assertThat(admitted(provider, 0).status()).isEqualTo(200);
		assertThat(admitted(provider, 0).status()).isEqualTo(200);
		assertThat(admitted(provider, 0).status()).isEqualTo(500);
		assertThat(admitted(provider, 0).status()).isEqualTo(200);
		assertThat(provider.ledger().failed()).isEqualTo(1);
	}

	@Test
	void halvesItsLimitsAtRunTime() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(4).tokensPerMinute(400));
		admitted(provider, 0);
		admitted(provider, 0);
		provider.changeLimits(provider.options().toBuilder().requestsPerMinute(2).tokensPerMinute(200).build(), SECOND);
		assertThat(refused(provider, SECOND).waitNanos()).isEqualTo(MINUTE - SECOND);
		assertThat(refused(provider, call(201), SECOND).cause()).isEqualTo(Cause.TOO_LARGE);
		provider.changeLimits(SimulatorOptions.builder().build(), 2 * SECOND);
		admitted(provider, call(1_000_000), 2 * SECOND);
		admitted(provider, 2 * SECOND);
	}

	@Test
	void tellsItsLevels() {
		SimulatedProvider provider = provider(SimulatorOptions.builder().requestsPerMinute(10).tokensPerMinute(600));
		Levels levels = admitted(provider, call(100), 0).levels();
		assertThat(levels.requests()).isEqualTo(new Levels.Level(10, 9, MINUTE));
		assertThat(levels.tokens()).isEqualTo(new Levels.Level(600, 500, 10 * SECOND));
		assertThat(admitted(provider(SimulatorOptions.builder()), 0).levels()).isEqualTo(new Levels(null, null));
	}

	@Test
	void drawsTheSameFromTheSameSeed() {
		SimulatorOptions.Builder options = SimulatorOptions.builder()
			.seed(7)
			.outputTokens(OutputTokens.lognormal(300, 0.8))
			.networkDelay(Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60)));
		SimulatedProvider one = provider(options);
		SimulatedProvider other = provider(options);
		for (int i = 0; i < 20; i++) {
			one.drawNetworkDelay();
			assertThat(admitted(one, chat(1, null, null), 0).outputTokens())
				.isEqualTo(admitted(other, chat(1, null, null), 0).outputTokens());
		}
	}

	private static SimulatedProvider provider(SimulatorOptions.Builder options) {
		return new SimulatedProvider(options.build(), 0);
	}

	private static Admission admitted(SimulatedProvider provider, long now) {
		return admitted(provider, call(1), now);
	}

	private static Admission admitted(SimulatedProvider provider, Call call, long now) {
		Decision decision = provider.arrive(call, now);
		assertThat(decision).isInstanceOf(Admission.class);
		return (Admission) decision;
	}

	private static Refusal refused(SimulatedProvider provider, long now) {
		return refused(provider, call(1), now);
	}

	private static Refusal refused(SimulatedProvider provider, Call call, long now) {
		Decision decision = provider.arrive(call, now);
		assertThat(decision).isInstanceOf(Refused.class);
		return ((Refused) decision).refusal();
	}

	private static Call call(long tokens) {
		return new Call(Call.Kind.EMBEDDINGS, "key", "m", tokens, 1, null, null, false, false);
	}

	private static Call keyed(String key) {
		return new Call(Call.Kind.ECHO, key, "echo", 0, 0, null, null, false, false);
	}

	private static Call chat(long prompt, Integer maxTokens, Integer output) {
		return new Call(Call.Kind.CHAT, "key", "m", prompt, 0, maxTokens, output, false, false);
	}

}
