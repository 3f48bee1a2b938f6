package io.github.llmratelimit.limit;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.github.llmratelimit.AdaptiveRules;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the level of a model which nobody calls any more makes room for another.
 */
class EvictedLevelsTests {

	private static final int MOST = 100;

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final int HOUR = 3600;

	private static final int SCHEDULES = Boolean.getBoolean("explore") ? 100 : 3;

	private static final ThrottleSignal TOO_FAST = ThrottleSignal.throttled(Tripped.REQUESTS, null, "slow down");

	private static final ThrottleSignal USED_UP = new ThrottleSignal(CallOutcome.QUOTA_EXHAUSTED, Tripped.NONE, null,
			"used up", ThrottleSignal.Level.MODEL);

	private static final ClosingRules WITHOUT_RAMP = new ClosingRules(ClosingRules.Scope.LIMIT, List.of(),
			Duration.ofMinutes(10), false);

	private final ModelGroup small = new ModelGroup("small", List.of("mini*"), LimitPlan.of(limit(10)));

	private TestAccount account = account(LimitPlan.UNLIMITED);

	private static Limit limit(long amount) {
		return limit(Counted.REQUESTS, amount, MINUTE);
	}

	private static Limit limit(Counted counts, long amount, Duration per) {
		return Limit.of("requests", counts, amount, per, LimitAlgorithm.SLIDING_WINDOW);
	}

	private static TestAccount account(LimitPlan own, ModelGroup... groups) {
		return account(own, UnaryOperator.identity(), groups);
	}

	private static TestAccount account(LimitPlan own, UnaryOperator<ProviderPlan> change, ModelGroup... groups) {
		ProviderPlan plan = ProviderPlan.of("test", own, groups);
		return new TestAccount(change.apply(plan.withLearning(new LimitLearning(true, EvictedLevelsTests::limit))));
	}

	private static LlmCall call(String model) {
		return LlmCall.to("test").withModel(model);
	}

	private static Observed announced(long remaining) {
		return new Observed(Counted.REQUESTS, MINUTE, 3L, remaining, null);
	}

	private static LimitScope scope(String model) {
		return new LimitScope("test", "default", model);
	}

	private static EvictedLevel evicted(String model, Limit... limits) {
		return new EvictedLevel(scope(model), List.of(limits));
	}

	/** Call a model whose response announces its limit. */
	private List<LevelEvent> learn(String model) {
		Claim claim = this.account.take(call(model));
		List<LevelEvent> events = this.account.observe(claim, announced(2));
		answer(claim);
		return events;
	}

	private void answer(Claim claim) {
		this.account.settle(claim, CallOutcome.SUCCESS, null);
	}

	/** Learn the limits of model-0, model-1 and so on, one a second. */
	private void fill() {
		fill(0);
	}

	private void fill(int seconds) {
		IntStream.range(0, MOST).forEach((i) -> {
			this.account.at(seconds + i);
			learn("model-" + i);
		});
	}

	/** Let no other model be idle, whatever happens. */
	private void occupyAllBut(String model) {
		othersThan(model).forEach((other) -> this.account.take(call(other)));
	}

	private List<String> othersThan(String model) {
		return models().stream().filter((other) -> !other.equals(model)).toList();
	}

	private Set<String> models() {
		return this.account.snapshot().models().keySet();
	}

	/** Assert which model makes room when one more limit is learned. */
	private void assertEvictsAt(double seconds, String model) {
		this.account.at(seconds);
		assertThat(learn("new-" + seconds)).first().isEqualTo(evicted(model, limit(3)));
		assertThat(models()).hasSize(MOST).contains("new-" + seconds).doesNotContain(model);
	}

	private void assertEvictsNothingAt(double seconds) {
		this.account.at(seconds);
		assertThat(learn("new-" + seconds)).isEmpty();
		assertThat(models()).hasSize(MOST).doesNotContain("new-" + seconds);
	}

	@Test
	void aThousandModelsOneAfterAnotherLearnTheirLimitsAndKeepThem() {
		for (int i = 0; i < 1000; i++) {
			String model = "model-" + i;
			this.account.at(i);
			LearnedLimit learned = new LearnedLimit(scope(model), limit(3));
			assertThat(learn(model))
				.isEqualTo((i < MOST) ? List.of(learned) : List.of(evicted("model-" + (i - MOST), limit(3)), learned));
			answer(this.account.take(call(model)));
			answer(this.account.take(call(model)));
			assertThat(this.account.reserve(call(model)).kind()).isEqualTo(Verdict.Kind.WAIT);
		}
		assertThat(models()).hasSize(MOST);
	}

	@Test
	void theLeastRecentlyUsedModelLeaves() {
		fill();
		answer(this.account.take(call("model-0")));
		assertEvictsAt(500, "model-1");
		assertEvictsAt(501, "model-2");
	}

	@Test
	void aModelStaysUntilItsWindowIsEmpty() {
		IntStream.range(0, MOST).forEach((i) -> learn("model-" + i));
		assertEvictsNothingAt(59);
		this.account.at(60);
		assertThat(learn("new")).hasSize(2);
	}

	@Test
	void whileNoneIsIdleThisIsLookedUpOnceASecond() {
		IntStream.range(0, MOST).forEach((i) -> learn("model-" + i));
		assertEvictsNothingAt(59.5);
		assertEvictsNothingAt(60.4);
		this.account.at(60.5);
		assertThat(learn("new")).hasSize(2);
	}

	@Test
	void aModelWithACallInFlightStays() {
		fill();
		Claim running = this.account.take(call("model-0"));
		assertEvictsAt(1000, "model-1");
		answer(running);
		occupyAllBut("model-0");
		assertEvictsAt(1001, "model-0");
	}

	@Test
	void aModelThatIsWaitedForStays() {
		this.account = account(LimitPlan.UNLIMITED.withMaxConcurrency(2));
		fill();
		Claim other = this.account.at(500).take(call("other"));
		this.account.take(call("model-99"));
		assertThat(this.account.reserve(call("model-0")).kind()).isEqualTo(Verdict.Kind.WAIT_FOR_RELEASE);
		assertThat(this.account.observe(other, announced(2))).contains(evicted("model-1", limit(3)));
		answer(other);
		assertEvictsAt(501, "model-2");
		answer(this.account.at(502).take(call("model-0")));
		this.account.at(503);
		othersThan("model-0").forEach((model) -> answer(this.account.take(call(model))));
		assertEvictsAt(563, "model-0");
	}

	@Test
	void aModelIsWaitedForUntilTheWaitIsOver() {
		this.account = account(LimitPlan.of(Limit.of("of account", Counted.REQUESTS, MOST + 1, Duration.ofMinutes(10),
				LimitAlgorithm.SLIDING_WINDOW)));
		fill();
		Claim last = this.account.at(500).take(call("other"));
		assertThat(this.account.reserve(call("model-0")).kind()).isEqualTo(Verdict.Kind.WAIT);
		assertThat(this.account.observe(last, announced(2))).contains(evicted("model-1", limit(3)));
		answer(last);
		this.account.at(1200);
		occupyAllBut("model-0");
		assertEvictsAt(1201, "model-0");
	}

	@Test
	void aModelThatCoolsDownStaysAndIsForgottenAnHourAfter() {
		fill();
		refuse("model-0", TOO_FAST, Duration.ofMinutes(5));
		occupyAllBut("model-0");
		double opensAt = 99 + 300;
		assertEvictsNothingAt(opensAt - 1);
		assertEvictsNothingAt(opensAt + HOUR - 1);
		assertEvictsAt(opensAt + HOUR, "model-0");
	}

	@Test
	void aModelWithASuccessAfterItsRefusalNeedNotBeRemembered() {
		this.account = account(LimitPlan.UNLIMITED, (plan) -> plan.withClosing(WITHOUT_RAMP));
		fill();
		refuse("model-0", TOO_FAST, Duration.ofMinutes(5));
		answer(this.account.at(400).take(call("model-0")));
		occupyAllBut("model-0");
		assertEvictsAt(460, "model-0");
	}

	private void refuse(String model, ThrottleSignal signal, Duration cooldown) {
		Claim claim = this.account.take(call(model));
		this.account.coolDown(claim, signal, cooldown);
		this.account.settle(claim, signal.outcome(), null);
	}

	@Test
	void modelsThatEachEndedWithARefusalDoNotBlockOthersForEver() {
		fill();
		IntStream.range(0, MOST).forEach((i) -> refuse("model-" + i, TOO_FAST, Duration.ofSeconds(1)));
		assertEvictsNothingAt(100 + HOUR - 1);
		this.account.at(100 + HOUR);
		assertThat(learn("new")).hasSize(2);
	}

	@Test
	void modelsWhoseQuotaIsUsedUpDoNotBlockOthersForEver() {
		for (int i = 0; i < MOST; i++) {
			refuse("model-" + i, USED_UP, Duration.ZERO);
			refuse("model-" + i, USED_UP, Duration.ZERO);
		}
		assertThat(this.account.snapshot().models().values()).hasSize(MOST)
			.allMatch((level) -> level.state() == State.OUT_OF_SERVICE);
		int checkedAgainAt = 600;
		assertEvictsNothingAt(checkedAgainAt + HOUR - 1);
		this.account.at(checkedAgainAt + HOUR);
		assertThat(learn("new")).hasSize(2);
	}

	@Test
	void aModelWhoseQuotaIsUsedUpMakesRoomForItself() {
		fill();
		Claim first = this.account.at(500).take(call("new"));
		assertThat(this.account.coolDown(first, USED_UP, Duration.ZERO)).containsExactly(evicted("model-0", limit(3)));
		this.account.settle(first, CallOutcome.QUOTA_EXHAUSTED, null);
		refuse("new", USED_UP, Duration.ZERO);
		assertThat(this.account.reserve(call("new")).kind()).isEqualTo(Verdict.Kind.OUT_OF_SERVICE);
		assertThat(this.account.reserve(call("model-1")).isGranted()).isTrue();
	}

	@Test
	void aModelWhoseShareWasCutStays() {
		AdaptiveRules rules = new AdaptiveRules(0.8, 0.02, Duration.ofSeconds(10), 0.3, false,
				EvictedLevelsTests::limit);
		this.account = account(LimitPlan.UNLIMITED, (plan) -> plan.withAdaptive(rules).withClosing(WITHOUT_RAMP));
		fill();
		Claim refused = this.account.at(500).take(call("model-0"));
		this.account.coolDown(refused, TOO_FAST, Duration.ofSeconds(1));
		this.account.settle(refused, CallOutcome.THROTTLED, null);
		answer(this.account.at(510).take(call("model-0")));
		occupyAllBut("model-0");
		assertEvictsNothingAt(500 + HOUR - 1);
		assertEvictsAt(500 + HOUR, "model-0");
	}

	@Test
	void aModelThatIsSpacedStays() {
		this.account = account(LimitPlan.UNLIMITED, (plan) -> plan.withClosing(WITHOUT_RAMP));
		fill();
		answer(this.account.at(500).take(call("model-0")));
		refuse("model-0", TOO_FAST, Duration.ofSeconds(1));
		answer(this.account.at(550).take(call("model-0")));
		occupyAllBut("model-0");
		assertEvictsNothingAt(500 + HOUR - 1);
		assertEvictsAt(500 + HOUR, "model-0");
	}

	@Test
	void aConfiguredGroupStays() {
		this.account = account(LimitPlan.UNLIMITED, this.small);
		IntStream.range(0, 300).forEach((i) -> {
			this.account.at(100 * i);
			learn("model-" + i);
		});
		assertThat(models()).hasSize(MOST).contains("small");
	}

	@Test
	void noModelIsTakenForTheWholeAccount() {
		Claim claim = this.account.take(call(ProviderPlan.ANY_MODEL));
		assertThat(this.account.observe(claim, announced(2))).isEmpty();
		assertThat(models()).isEmpty();
	}

	@Test
	void aModelThatReturnsStartsCautiouslyAndLearnsAgain() {
		fill();
		assertEvictsAt(500, "model-0");
		Claim first = this.account.take(call("model-0"));
		assertThat(this.account.reserve(call("model-0")).blockedBy()).extracting(BlockedBy::limit)
			.isEqualTo(BlockedBy.FIRST_RESPONSE);
		assertThat(this.account.observe(first, announced(2))).containsExactly(evicted("model-1", limit(3)),
				new LearnedLimit(scope("model-0"), limit(3)));
		answer(first);
		assertThat(this.account.take(call("model-0")).scope()).isEqualTo(scope("model-0"));
	}

	@Test
	void aWaiterWhoseModelHasLeftGoesWithTheAccount() {
		fill();
		Claim waiting = new Claim(call("model-0"), scope("model-0"));
		assertEvictsAt(500, "model-0");
		assertThat(this.account.reserve(waiting)).isEqualTo(Verdict.GRANTED);
		assertThat(waiting.scope()).isEqualTo(scope(ProviderPlan.ANY_MODEL));
		answer(waiting);
		assertThat(this.account.snapshot().inFlight()).isZero();
	}

	@Test
	void aCallThatIsOlderThanItsLevelEndsAfterIt() {
		Claim older = this.account.take(call("model-0"));
		fill(20);
		assertEvictsAt(500, "model-0");
		this.account.coolDown(older, TOO_FAST, Duration.ofSeconds(1));
		this.account.settle(older, CallOutcome.THROTTLED, null);
		assertThat(this.account.snapshot().inFlight()).isZero();
		assertThat(models()).doesNotContain("model-0");
	}

	@Test
	void whatComesAfterTheEndOfACallChangesNothing() {
		fill();
		Claim ended = this.account.take(call("model-0"));
		answer(ended);
		occupyAllBut("model-0");
		assertEvictsAt(500, "model-0");
		this.account.observe(ended);
		answer(ended);
		assertThat(this.account.snapshot().inFlight()).isEqualTo(MOST - 1);
		assertThat(models()).doesNotContain("model-0");
	}

	@Test
	void agreesWithTheOracleOnEveryStep() {
		for (long seed = 0; seed < SCHEDULES; seed++) {
			this.account = account(LimitPlan.UNLIMITED);
			Schedule schedule = new Schedule(new Random(seed));
			schedule.run(1500);
			assertThat(schedule.evictions).isPositive();
			assertThat(schedule.failures).isPositive();
		}
	}

	/**
	 * Random calls to more models than there is room for, and what has to be known of
	 * each.
	 */
	private final class Schedule {

		private static final long WINDOW = 60 * TestAccount.SECOND;

		private final Map<String, Known> known = new HashMap<>();

		private final Map<String, Claim> running = new HashMap<>();

		private final Random random;

		private long now;

		private long searchedAt = -WINDOW;

		private int evictions;

		private int failures;

		Schedule(Random random) {
			this.random = random;
		}

		void run(int steps) {
			for (int i = 0; i < steps; i++) {
				boolean quickly = i / 500 % 2 == 0;
				this.now += this.random.nextLong(quickly ? TestAccount.SECOND / 5 : TestAccount.SECOND);
				EvictedLevelsTests.this.account.atNanos(this.now);
				String model = "model-" + this.random.nextInt(130);
				Claim claim = this.running.remove(model);
				if (claim != null) {
					end(claim);
				}
				else {
					begin(model);
				}
				assertThat(models()).isEqualTo(this.known.keySet());
			}
		}

		private void begin(String model) {
			Claim claim = EvictedLevelsTests.this.account.claim(call(model));
			if (EvictedLevelsTests.this.account.reserve(claim).isGranted()) {
				this.running.put(model, claim);
				this.known.computeIfPresent(model, (key, before) -> new Known(this.now, this.now + WINDOW));
			}
		}

		private void end(Claim claim) {
			String model = claim.call().model();
			boolean room = this.known.size() < MOST || this.known.containsKey(model);
			List<LevelEvent> events = EvictedLevelsTests.this.account.observe(claim,
					new Observed(Counted.REQUESTS, MINUTE, 1000L, 999L, null));
			if (!room) {
				assertMadeRoom(events);
			}
			if (!events.isEmpty()) {
				this.known.put(model, new Known(this.now, claim.admittedAt() + WINDOW));
			}
			answer(claim);
		}

		private void assertMadeRoom(List<LevelEvent> events) {
			if (this.now < this.searchedAt + TestAccount.SECOND) {
				assertThat(events).isEmpty();
				return;
			}
			List<String> idle = idleOnes();
			if (idle.isEmpty()) {
				assertThat(events).isEmpty();
				this.searchedAt = this.now;
				this.failures++;
				return;
			}
			assertThat(events).hasSize(2)
				.first()
				.extracting((event) -> event.scope().modelGroup())
				.isEqualTo(idle.get(0));
			this.known.remove(idle.get(0));
			this.evictions++;
		}

		private List<String> idleOnes() {
			return this.known.entrySet()
				.stream()
				.filter((entry) -> entry.getValue().isIdle(this.now) && !isRunningIn(entry.getKey()))
				.sorted(Map.Entry.comparingByValue(Comparator.comparingLong(Known::usedAt)))
				.map(Map.Entry::getKey)
				.toList();
		}

		private boolean isRunningIn(String model) {
			Claim claim = this.running.get(model);
			return claim != null && claim.scope().modelGroup().equals(model);
		}

	}

	/**
	 * What the oracle knows of a model's level.
	 */
	private record Known(long usedAt, long busyUntil) {

		boolean isIdle(long now) {
			return this.busyUntil <= now;
		}

	}

}
