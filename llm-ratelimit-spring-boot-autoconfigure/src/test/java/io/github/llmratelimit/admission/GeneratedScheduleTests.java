package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.HeldPermit;
import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.KeyPool.Selection;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.store.LocalLimitStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Seeded random schedules of entering, cancelling, completing and refusing, with a near
 * and a slow store. After every step no limit is exceeded and what is held is what was
 * admitted; in the end everything is free again.
 */
class GeneratedScheduleTests {

	private static final int STEPS = Boolean.getBoolean("explore") ? 4_000 : 600;

	private static final List<ThrottleSignal> KEY_REFUSALS = List.of(ThrottleSignal.of(CallOutcome.KEY_REJECTED),
			new ThrottleSignal(CallOutcome.QUOTA_EXHAUSTED, Tripped.NONE, Duration.ofSeconds(20), null,
					ThrottleSignal.Level.KEY));

	/** Keys and accounts that are out of service are tried again within the schedule. */
	private static final ClosingRules CLOSING = new ClosingRules(ClosingRules.Scope.LIMIT,
			ClosingRules.DEFAULT.ladder(), Duration.ofSeconds(15), true);

	private static final ModelGroup SMALL = new ModelGroup("small", List.of("small"),
			LimitPlan.of(rpm(10), tpm(300)).withMaxConcurrency(2));

	@RepeatedTest(40)
	void losesNothingInOneAccount(RepetitionInfo repetition) {
		LimitPlan plan = LimitPlan.of(rpm(40), tpm(1200)).withMaxConcurrency(5);
		new Schedule(ProviderPlan.of("test", plan, SMALL), repetition.getCurrentRepetition()).run();
	}

	@RepeatedTest(40)
	void losesNothingInSeveralAccounts(RepetitionInfo repetition) {
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		accounts.put("a", LimitPlan.of(rpm(10), tpm(600)).withMaxConcurrency(2));
		accounts.put("b", LimitPlan.of(tpm(800).withBurst(Duration.ofSeconds(5))).withMaxConcurrency(3));
		accounts.put("c", LimitPlan.of(rpm(5)));
		ProviderPlan plan = ProviderPlan.of("test", LimitPlan.UNLIMITED, SMALL).withAccounts(accounts);
		new Schedule(plan, repetition.getCurrentRepetition()).run();
	}

	@RepeatedTest(40)
	void losesNothingWithKeysThatGoOutOfService(RepetitionInfo repetition) {
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		accounts.put("a", LimitPlan.of(rpm(10), tpm(600)).withMaxConcurrency(2));
		accounts.put("b", LimitPlan.of(tpm(800)).withMaxConcurrency(3));
		accounts.put("keyless", LimitPlan.of(rpm(5)));
		Map<String, String> keys = Map.of("a1", "a", "a2", "a", "b1", "b");
		Random random = new Random(repetition.getCurrentRepetition());
		Selection selection = Selection.values()[random.nextInt(Selection.values().length)];
		ProviderPlan plan = ProviderPlan.of("test", LimitPlan.UNLIMITED, SMALL)
			.withAccounts(accounts)
			.withKeys(new KeyPool(keys, selection, random::nextDouble));
		new Schedule(plan, repetition.getCurrentRepetition()).run();
	}

	@Test
	void keepsOrderByPriorityAndArrival() {
		for (long seed = 0; seed < 20; seed++) {
			Random random = new Random(seed);
			TestAdmission admission = new TestAdmission(
					TestAdmission.plan(LimitPlan.of(rpm(5))).withQueue(QueueRules.DEFAULT.withLowPriorityShare(0)));
			List<Entered> entered = new ArrayList<>();
			TestCall[] holders = { admission.admit(), admission.admit(), admission.admit(), admission.admit(),
					admission.admit() };
			for (int i = 0; i < 100; i++) {
				Priority priority = Priority.values()[random.nextInt(3)];
				entered.add(new Entered(i, priority,
						admission.enter(CALL.withPriority(priority).withMaxWait(Duration.ofDays(1)))));
			}
			for (int i = 0; i < 20; i++) {
				entered.remove(random.nextInt(entered.size())).call().cancel();
			}
			admission.advance(60 * 60);
			entered.sort(Comparator.comparing(Entered::priority).thenComparing(Entered::arrival));
			assertThat(admission.admitted.subList(holders.length, admission.admitted.size()))
				.isEqualTo(entered.stream().map(Entered::call).toList());
		}
	}

	record Entered(int arrival, Priority priority, TestCall call) {

	}

	/**
	 * One provider driven at random.
	 */
	private static final class Schedule {

		private final long seed;

		private final List<String> accounts;

		private final KeyPool keys;

		private final Random random;

		private final TestAdmission admission;

		private final OrderJudge order;

		private final Map<TestCall, Long> places = new HashMap<>();

		private final List<TestCall> calls = new ArrayList<>();

		private @Nullable ScriptedStore slow;

		private int held;

		private long arrivals;

		Schedule(ProviderPlan plan, long seed) {
			this.seed = seed;
			this.accounts = List.copyOf(plan.accounts().keySet());
			this.keys = plan.keys();
			this.random = new Random(seed);
			ProviderPlan queued = plan.withQueue(QueueRules.DEFAULT.withCapacity(60).withLowPriorityShare(0.4))
				.withClosing(CLOSING);
			this.admission = new TestAdmission(queued, (time) -> {
				if (seed % 2 == 0) {
					return new LocalLimitStore(time);
				}
				this.slow = new ScriptedStore(time);
				return this.slow;
			});
			this.order = new OrderJudge(queued, this.admission.time);
		}

		void run() {
			try {
				for (int step = 0; step < STEPS; step++) {
					step();
					check();
				}
				finish();
			}
			catch (AssertionError ex) {
				throw new AssertionError("seed %d, after %s: %s".formatted(this.seed,
						Duration.ofNanos(this.admission.time.nanoTime()), ex.getMessage()), ex);
			}
		}

		private void step() {
			switch (this.random.nextInt(10)) {
				case 0, 1, 2 -> enter(call(), this.arrivals++);
				case 3 -> pick(this.calls.stream().filter(TestCall::isWaiting).toList(), this::cancel);
				case 4, 5 -> pick(admitted(), this::complete);
				case 6 -> pick(admitted(), this.random.nextInt(4) != 0 ? this::refuse : this::takeOver);
				case 7 -> operate();
				default -> answer();
			}
		}

		/* Most often time passes; now and then an operator pauses, or resumes. */
		private void operate() {
			switch (this.random.nextInt(20)) {
				case 0 -> pause(null);
				case 1 -> pause(Duration.ofSeconds(this.random.nextInt(10) + 1L));
				case 2, 3, 4 -> resume(account());
				default -> this.admission.advance(this.random.nextDouble() * 4);
			}
		}

		private void pause(@Nullable Duration length) {
			this.admission.controller.pause(account(), length, "test").block();
		}

		private void resume(LimitScope account) {
			this.admission.controller.resume(account).block();
		}

		private LimitScope account() {
			String account = this.random.nextBoolean() ? any(this.accounts) : LimitScope.ANY_ACCOUNT;
			return new LimitScope("test", account, ProviderPlan.ANY_MODEL);
		}

		private void check() {
			this.order.assertKept();
			this.admission.assertState().isWithinLimits();
			assertThat(this.admission.time.timers()).isLessThanOrEqualTo(1);
			this.calls.removeIf((call) -> !call.isWaiting() && !call.isAdmitted());
			long waiting = this.calls.stream().filter(TestCall::isWaiting).count();
			assertThat(this.admission.waiting()).isEqualTo(Math.toIntExact(waiting));
			if (this.slow == null || this.slow.openQuestions() == 0) {
				this.admission.assertState().hasInFlight(this.held);
			}
		}

		private LlmCall call() {
			int tokens = (this.random.nextInt(10) == 0) ? this.random.nextInt(400) : this.random.nextInt(60);
			LlmCall call = CALL
				.withTokens(new TokenEstimate(tokens, this.random.nextInt(50), this.random.nextBoolean()))
				.withPriority(Priority.values()[this.random.nextInt(3)]);
			if (this.random.nextInt(3) == 0) {
				call = call.withModel("small");
			}
			if (this.random.nextInt(3) == 0) {
				call = call.withAccount(this.accounts.get(this.random.nextInt(this.accounts.size())));
			}
			if (!this.keys.isEmpty() && call.account() == null && this.random.nextInt(4) == 0) {
				call = call.withKey(any(List.copyOf(this.keys.accounts().keySet())));
			}
			return (this.random.nextInt(4) != 0) ? call : call.withMaxWait(Duration.ofSeconds(this.random.nextInt(40)));
		}

		private void enter(LlmCall call, long place) {
			TestCall entered = new TestCall(this.admission);
			entered.onAdmitted(() -> admitted(entered, call));
			this.places.put(entered, place);
			this.order.enters(entered, call, place);
			this.admission.controller.acquire(call).subscribe(entered);
			this.calls.add(entered);
		}

		private void admitted(TestCall entered, LlmCall call) {
			Permit permit = entered.permit();
			this.held++;
			this.order.admitted(entered, this.slow == null);
			List<String> candidates = this.keys.of(permit.scope().account());
			if (permit.key() == null) {
				assertThat(candidates).isEmpty();
				return;
			}
			assertThat(candidates).contains(permit.key());
			assertThat(call.key()).isIn(null, permit.key());
			if (this.slow == null && !permit.isProbe()) {
				assertThat(this.admission.snapshot().accounts().get(permit.scope().account()).keys())
					.containsEntry(permit.key(), State.OPEN);
			}
		}

		private void cancel(TestCall call) {
			call.cancel();
			this.calls.remove(call);
		}

		private void complete(TestCall call) {
			end(call);
			CallOutcome outcome = CallOutcome.values()[this.random.nextInt(CallOutcome.values().length)];
			long used = this.random.nextLong(call.permit().call().tokens().total() + 1);
			assertThat(call.permit().complete(outcome, new TokenUsage(used, 0))).isTrue();
			assertThat(call.complete()).isFalse();
		}

		private void refuse(TestCall call) {
			end(call);
			call.permit().refuse(signal(), cooldown());
			LlmCall again = call.permit().again(Duration.ofMillis(this.random.nextInt(2000)));
			if (again != null && this.random.nextBoolean()) {
				enter(again, placeOf(call));
			}
		}

		private Cooldown cooldown() {
			Duration atLeast = Duration.ofMillis(this.random.nextInt(3) * 1500L);
			Duration step = Duration.ofMillis(this.random.nextInt(4) * 500L);
			return Cooldown.of(atLeast).spreadOver(step, this.random.nextDouble());
		}

		/* The permit of an annotated method goes to the client inside. */
		private void takeOver(TestCall call) {
			Permit outer = call.permit();
			end(call);
			LlmCall inner = HeldPermit.takeOver(call(), new HeldPermit(outer).in(Context.empty()));
			boolean taken = !outer.complete(CallOutcome.SUCCESS, null);
			enter(inner, taken && inner.turn() != null ? placeOf(call) : this.arrivals++);
		}

		private long placeOf(TestCall call) {
			return Objects.requireNonNull(this.places.get(call));
		}

		private ThrottleSignal signal() {
			if (!this.keys.isEmpty() && this.random.nextInt(10) == 0) {
				return any(KEY_REFUSALS);
			}
			return ThrottleSignal.throttled(any(List.of(Tripped.values())), null, null);
		}

		private <T> T any(List<T> candidates) {
			return candidates.get(this.random.nextInt(candidates.size()));
		}

		private void end(TestCall call) {
			this.held--;
			this.calls.remove(call);
		}

		private void answer() {
			if (this.slow != null && this.slow.openQuestions() > 0) {
				if (this.random.nextInt(8) == 0) {
					this.slow.answerAll();
				}
				else {
					this.slow.answer();
				}
			}
		}

		private List<TestCall> admitted() {
			return this.calls.stream().filter(TestCall::isAdmitted).toList();
		}

		private <T> void pick(List<T> candidates, Consumer<T> action) {
			if (!candidates.isEmpty()) {
				action.accept(candidates.get(this.random.nextInt(candidates.size())));
			}
		}

		/* Whoever still waits goes if only those who were admitted end. */
		private void finish() {
			resume(new LimitScope("test", LimitScope.ANY_ACCOUNT, ProviderPlan.ANY_MODEL));
			for (int second = 0; second < 7200 && !this.calls.isEmpty(); second++) {
				if (this.slow != null) {
					this.slow.answerAll();
				}
				admitted().forEach(this::complete);
				if (second > 0) {
					this.admission.advance(1);
				}
				check();
			}
			assertThat(this.calls).isEmpty();
			this.admission.assertNoTrace();
		}

	}

}
