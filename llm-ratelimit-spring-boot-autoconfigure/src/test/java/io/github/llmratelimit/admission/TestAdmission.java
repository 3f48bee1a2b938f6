package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.pipeline.ActionFailures.Reading;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.retry.Backoff;
import io.github.llmratelimit.retry.RetryPolicy;
import io.github.llmratelimit.store.LimitStore;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordingListener;
import io.github.llmratelimit.testing.SnapshotAssert;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An admission controller for one provider in virtual time, and the calls that were made
 * to it.
 */
final class TestAdmission {

	static final LlmCall CALL = LlmCall.to("test");

	final VirtualTime time = new VirtualTime();

	final RecordingListener listener = new RecordingListener();

	final AdmissionController controller;

	/** In the order in which they were admitted. */
	final List<TestCall> admitted = new ArrayList<>();

	TestAdmission(ProviderPlan plan) {
		this(plan, LocalLimitStore::new);
	}

	TestAdmission(ProviderPlan plan, Function<TimeSource, LimitStore> store, RateLimitListener... listeners) {
		List<RateLimitListener> all = new ArrayList<>(List.of(listeners));
		all.add(this.listener);
		this.controller = new AdmissionController(List.of(plan), store.apply(this.time), this.time, all);
	}

	/** Runs actions that are never run again. */
	static LlmRateLimiter limiter(AdmissionController controller, TimeSource time) {
		RetryPolicy policy = new RetryPolicy(1, Backoff.DEFAULT, () -> 0);
		return new LlmCallPipeline(controller, Map.of("test", policy), time, List.of())
			.limiter((call, failure) -> Reading.withoutResponse(failure));
	}

	LlmRateLimiter limiter() {
		return limiter(this.controller, this.time);
	}

	static TestAdmission of(Limit... limits) {
		return new TestAdmission(plan(LimitPlan.of(limits)));
	}

	static TestAdmission ofConcurrency(int max) {
		return new TestAdmission(plan(LimitPlan.UNLIMITED.withMaxConcurrency(max)));
	}

	static ProviderPlan plan(LimitPlan plan) {
		return ProviderPlan.of("test", plan);
	}

	static ProviderPlan accounts(LimitPlan a, LimitPlan b) {
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		accounts.put("a", a);
		accounts.put("b", b);
		return plan(a).withAccounts(accounts);
	}

	static Limit rpm(long amount) {
		return Limit.of("rpm", Counted.REQUESTS, amount, Duration.ofMinutes(1), LimitAlgorithm.SLIDING_WINDOW);
	}

	static Limit tpm(long amount) {
		return Limit.of("tpm", Counted.TOKENS, amount, Duration.ofMinutes(1), LimitAlgorithm.TOKEN_BUCKET);
	}

	static LlmCall tokens(long tokens) {
		return CALL.withTokens(tokens, 0);
	}

	TestCall enter(LlmCall call) {
		TestCall entered = new TestCall(this);
		this.controller.acquire(call).subscribe(entered);
		return entered;
	}

	TestCall enter() {
		return enter(CALL);
	}

	/** Enter a call that has to be admitted at once. */
	TestCall admit(LlmCall call) {
		return enter(call).assertAdmitted();
	}

	TestCall admit() {
		return admit(CALL);
	}

	TestAdmission advance(double seconds) {
		this.time.advance(Duration.ofNanos(Math.round(seconds * 1e9)));
		return this;
	}

	ProviderSnapshot snapshot() {
		return this.controller.snapshot().single().block(Duration.ofSeconds(5));
	}

	SnapshotAssert assertState() {
		return SnapshotAssert.assertThat(snapshot());
	}

	int waiting() {
		return snapshot().waiting().values().stream().mapToInt(Integer::intValue).sum();
	}

	/** Nothing waits, nothing is held, no timer runs. */
	void assertNoTrace() {
		assertState().isIdle();
		assertThat(this.time.timers()).isZero();
	}

	void assertAdmittedInOrder(TestCall... calls) {
		assertThat(this.admitted).containsExactly(calls);
	}

	/**
	 * One call, and what has become of it.
	 */
	static final class TestCall extends BaseSubscriber<Permit> {

		private final TestAdmission admission;

		private @Nullable Permit permit;

		private @Nullable Throwable failure;

		private Runnable onAdmitted = () -> {
		};

		private Runnable onRejected = () -> {
		};

		TestCall(TestAdmission admission) {
			this.admission = admission;
		}

		TestCall onAdmitted(Runnable action) {
			this.onAdmitted = action;
			return this;
		}

		TestCall onRejected(Runnable action) {
			this.onRejected = action;
			return this;
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			subscription.request(Long.MAX_VALUE);
		}

		@Override
		protected void hookOnNext(Permit permit) {
			assertThat(this.permit).isNull();
			this.permit = permit;
			this.admission.admitted.add(this);
			this.onAdmitted.run();
		}

		@Override
		protected void hookOnError(Throwable failure) {
			this.failure = failure;
			this.onRejected.run();
		}

		Permit permit() {
			assertAdmitted();
			return this.permit;
		}

		boolean isAdmitted() {
			return this.permit != null;
		}

		boolean isWaiting() {
			return this.permit == null && this.failure == null && !isDisposed();
		}

		boolean complete() {
			return permit().complete(CallOutcome.SUCCESS, null);
		}

		TestCall assertAdmitted() {
			assertThat(this.failure).isNull();
			assertThat(this.permit).as("permit").isNotNull();
			return this;
		}

		TestCall assertWaiting() {
			assertThat(this.permit).as("permit").isNull();
			assertThat(this.failure).isNull();
			return this;
		}

		LlmRateLimitException assertRejected(LlmRateLimitException.Reason reason) {
			assertThat(this.permit).as("permit").isNull();
			assertThat(this.failure).isInstanceOf(LlmRateLimitException.class);
			LlmRateLimitException exception = (LlmRateLimitException) this.failure;
			assertThat(exception.reason()).isEqualTo(reason);
			return exception;
		}

	}

}
