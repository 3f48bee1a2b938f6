package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.TokenUsage;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static io.github.llmratelimit.limit.TestAccount.SECOND;
import static io.github.llmratelimit.limit.TestAccount.bucket;
import static io.github.llmratelimit.limit.TestAccount.limit;
import static io.github.llmratelimit.limit.TestAccount.rpm;
import static io.github.llmratelimit.limit.TestAccount.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Seeded random schedules, judged after every step by an {@link Oracle} that works each
 * limit out from its whole history.
 */
class GeneratedScheduleTests {

	private static final long MINUTE = 60 * SECOND;

	private static final int SCHEDULES = Boolean.getBoolean("explore") ? 150 : 10;

	private static final Duration SLACK = Duration.ofSeconds(1);

	static Stream<Arguments> limits() {
		Limit calendar = limit("fixed", Counted.TOKENS, 600, LimitAlgorithm.FIXED_WINDOW);
		return Stream.of(
		// @formatter:off
				limits("sliding", Map.of(rpm(20), new Oracle.Window(20, MINUTE), tpm(1000), new Oracle.Window(1000, MINUTE))),
				limits("sliding with slack and margin", Map.of(
						rpm(20).withSlack(SLACK).withMargin(0.5), new Oracle.Window(10, 61 * SECOND),
						tpm(1000).withSlack(SLACK).withMargin(0.5), new Oracle.Window(500, 61 * SECOND))),
				limits("bucket", Map.of(bucket(600), new Oracle.Bucket(600, MINUTE, 0))),
				limits("bucket with slack and margin", Map.of(
						bucket(1200).withSlack(SLACK).withMargin(0.5), new Oracle.Bucket(600, MINUTE, SECOND))),
				limits("requests and bucket", Map.of(rpm(20), new Oracle.Window(20, MINUTE), bucket(600), new Oracle.Bucket(600, MINUTE, 0))),
				limits("fixed window", Map.of(calendar, new Oracle.Calendar(600, MINUTE, 0))),
				limits("fixed window with slack", Map.of(calendar.withSlack(SLACK), new Oracle.Calendar(600, MINUTE, SECOND))),
				limits("spaced requests", Map.of(rpm(20).withBurst(Duration.ofSeconds(9)).withSlack(SLACK),
						all(new Oracle.Window(20, 61 * SECOND), new Oracle.Window(3, 9 * SECOND + SECOND * 9 / 10)))),
				limits("spaced bucket", Map.of(bucket(600).withBurst(Duration.ofSeconds(2)),
						all(new Oracle.Bucket(600, MINUTE, 0), new Oracle.Bucket(20, 2 * SECOND, 0)))));
				// @formatter:on
	}

	private static Arguments limits(String name, Map<Limit, ?> judged) {
		Map<Limit, List<Oracle>> limits = new LinkedHashMap<>();
		judged.forEach((limit, judge) -> limits.put(limit,
				(judge instanceof Oracle oracle) ? List.of(oracle) : ((Judges) judge).oracles()));
		return Arguments.of(Named.of(name, limits));
	}

	private static Judges all(Oracle... oracles) {
		return new Judges(List.of(oracles));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void agreesWithTheOracleOnEveryStep(Map<Limit, List<Oracle>> judged) {
		for (long seed = 0; seed < SCHEDULES; seed++) {
			judged.values().forEach((oracles) -> oracles.forEach((oracle) -> oracle.forgetBefore(Long.MAX_VALUE)));
			new Schedule(judged, seed).run(400);
		}
	}

	@Test
	void isAtMostOneSliceLateAndNeverEarlyAboveTheExactEntries() {
		long slice = MINUTE / TimedAmounts.EXACT;
		SlidingWindow window = new SlidingWindow(40_000, MINUTE, 0);
		Oracle oracle = new Oracle.Window(40_000, MINUTE);
		Random random = new Random(7);
		long now = 0;
		for (int i = 0; i < 25_000; i++) {
			now += random.nextLong(MINUTE / 10_000);
			long amount = 1 + random.nextInt(8);
			if (window.nanosUntil(amount, now) > 0) {
				oracle.forgetBefore(now - MINUTE);
				long exact = oracle.earliest(amount, now) - now;
				long wait = window.nanosUntil(amount, now);
				assertThat(wait).isBetween(exact, exact + slice);
				now += wait;
				assertThat(window.nanosUntil(amount, now)).isZero();
			}
			window.take(amount, now);
			oracle.take(i, amount, now);
		}
	}

	@Test
	void correctsTheRightSliceAboveTheExactEntries() {
		SlidingWindow window = new SlidingWindow(Long.MAX_VALUE / 2, MINUTE, 0);
		Random random = new Random(11);
		List<Long> moments = new ArrayList<>();
		long now = 0;
		for (int i = 0; i < 30_000; i++) {
			now += 1 + random.nextInt(2_000_000);
			window.take(10, now);
			moments.add(now);
		}
		for (long moment : moments) {
			window.correct(-10, moment);
			assertThat(window.used(now)).isNotNegative();
		}
		assertThat(window.used(now)).isZero();
	}

	@Test
	void keepsAccountAndModelGroupAtTheSameTime() {
		for (long seed = 0; seed < SCHEDULES; seed++) {
			Random random = new Random(seed);
			TestAccount account = TestAccount.of(LimitPlan.of(rpm(20), bucket(600)).withMaxConcurrency(8),
					new ModelGroup("small", List.of("small"), LimitPlan.of(tpm(200)).withMaxConcurrency(3)));
			List<Claim> held = new ArrayList<>();
			long now = 0;
			for (int step = 0; step < 400; step++) {
				now += random.nextLong(3 * SECOND);
				account.atNanos(now);
				if (!held.isEmpty() && random.nextInt(3) == 0) {
					Claim claim = held.remove(random.nextInt(held.size()));
					account.answer(claim, random.nextLong(claim.call().tokens().total() + 1));
				}
				LlmCall call = TestAccount.call(random.nextInt(120))
					.withModel(random.nextBoolean() ? "small" : "large");
				Claim claim = account.claim(call);
				LevelSnapshot before = account.snapshot();
				if (account.reserve(claim).isGranted()) {
					held.add(claim);
				}
				else {
					assertThat(account.snapshot()).isEqualTo(before);
				}
				assertWithin(account.snapshot());
				assertWithin(account.snapshot().models().get("small"));
			}
			held.forEach((claim) -> account.settle(claim, CallOutcome.FAILED, null));
			assertThat(account.snapshot().inFlight()).isZero();
		}
	}

	private static void assertWithin(LevelSnapshot level) {
		assertThat(level.inFlight()).isBetween(0, level.maxConcurrency());
		assertThat(level.limits())
			.allSatisfy((limit) -> assertThat(limit.used()).isBetween(0L, limit.effectiveLimit()));
	}

	record Judges(List<Oracle> oracles) {

	}

	/**
	 * One account driven at random.
	 */
	private static final class Schedule {

		private final Map<Limit, List<Oracle>> judged;

		private final TestAccount account;

		private final Random random;

		private final String seed;

		private final List<Claim> held = new ArrayList<>();

		Schedule(Map<Limit, List<Oracle>> judged, long seed) {
			this.judged = judged;
			this.account = TestAccount.of(judged.keySet().toArray(Limit[]::new));
			this.random = new Random(seed);
			this.seed = "seed " + seed + " step ";
		}

		void run(int steps) {
			for (int step = 0; step < steps; step++) {
				String description = this.seed + step;
				switch (this.random.nextInt(6)) {
					case 0 -> this.account.atNanos(this.account.now() + this.random.nextLong(10 * SECOND));
					case 1 -> settle();
					default -> ask(description);
				}
			}
			this.judged.values()
				.forEach((oracles) -> oracles.forEach((oracle) -> oracle.assertNeverExceeded(this.seed + "end")));
		}

		private void ask(String description) {
			Claim claim = this.account.claim(TestAccount.call(amount()));
			long now = this.account.now();
			long earliest = earliest(claim, now);
			Verdict verdict = this.account.reserve(claim);
			assertThat(now + verdict.waitNanos()).as(description).isEqualTo(earliest);
			if (!verdict.isGranted() && this.random.nextInt(4) == 0) {
				assertThat(this.account.atNanos(earliest - 1).reserve(claim).isGranted()).as(description).isFalse();
				verdict = this.account.atNanos(earliest).reserve(claim);
				assertThat(verdict).as(description).isEqualTo(Verdict.GRANTED);
			}
			if (verdict.isGranted()) {
				this.held.add(claim);
				this.judged.forEach((limit, oracles) -> oracles
					.forEach((oracle) -> oracle.take(claim, claim.amount(limit.counts()), this.account.now())));
			}
		}

		private long amount() {
			return (this.random.nextInt(10) == 0) ? this.random.nextInt(600) : this.random.nextInt(60);
		}

		private long earliest(Claim claim, long now) {
			return this.judged.entrySet()
				.stream()
				.flatMap((entry) -> entry.getValue()
					.stream()
					.map((oracle) -> oracle.earliest(claim.amount(entry.getKey().counts()), now)))
				.mapToLong(Long::longValue)
				.max()
				.orElseThrow();
		}

		/* Within a window of being admitted, and never to more than was reserved. */
		private void settle() {
			if (this.held.isEmpty()) {
				return;
			}
			Claim claim = this.held.remove(this.random.nextInt(this.held.size()));
			if (this.account.now() - claim.admittedAt() > 50 * SECOND) {
				return;
			}
			CallOutcome outcome = CallOutcome.values()[this.random.nextInt(CallOutcome.values().length)];
			TokenUsage usage = new TokenUsage(this.random.nextLong(claim.call().tokens().total() + 1), 0);
			this.account.settle(claim, outcome, usage);
			this.account.settle(claim, CallOutcome.NOT_SENT, null);
			this.judged.forEach((limit, oracles) -> oracles
				.forEach((oracle) -> oracle.correct(claim, delta(claim, limit.counts(), outcome, usage))));
		}

		private static long delta(Claim claim, Counted counts, CallOutcome outcome, TokenUsage usage) {
			if (counts == Counted.REQUESTS) {
				return (outcome == CallOutcome.NOT_SENT) ? -1 : 0;
			}
			boolean answered = outcome == CallOutcome.SUCCESS || outcome == CallOutcome.FAILED
					|| outcome == CallOutcome.CANCELLED;
			return (answered ? usage.total() : 0) - claim.call().tokens().total();
		}

	}

}
