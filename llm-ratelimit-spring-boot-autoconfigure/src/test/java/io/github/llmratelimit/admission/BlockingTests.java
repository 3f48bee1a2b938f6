package io.github.llmratelimit.admission;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.time.TimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.tokens;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for calls that park their thread, and for those that end with a stage.
 */
@Timeout(60)
class BlockingTests {

	private final TestAdmission admission = TestAdmission.ofConcurrency(1);

	private final LlmRateLimiter limiter = this.admission.limiter();

	/* Not the shared ones, which do not survive the installation of BlockHound. */
	private final Scheduler threads = Schedulers.newParallel("blocking-tests", 2);

	@AfterEach
	void stopThreads() {
		this.threads.dispose();
	}

	@Test
	void runsOnTheCallingThreadWithinItsPermit() {
		Thread thread = this.limiter.executeBlocking(CALL, () -> {
			this.admission.assertState().hasInFlight(1);
			return Thread.currentThread();
		});
		assertThat(thread).isSameAs(Thread.currentThread());
		this.admission.assertNoTrace();
	}

	@Test
	void parksUntilThereIsRoom() throws Exception {
		TestCall first = this.admission.admit();
		FutureTask<String> second = parked(CALL);
		first.complete();
		assertThat(second.get()).isEqualTo("done");
		this.admission.assertNoTrace();
	}

	@Test
	void failsAsItsActionDoes() {
		IllegalArgumentException failure = new IllegalArgumentException("broken");
		assertThatThrownBy(() -> this.limiter.executeBlocking(CALL, () -> {
			throw failure;
		})).isSameAs(failure);
		this.admission.assertNoTrace();
	}

	@Test
	void saysWhyItIsNotAdmitted() {
		this.admission.admit();
		LlmCall impatient = CALL.withMaxWait(Duration.ZERO);
		FutureTask<String> call = new FutureTask<>(() -> this.limiter.executeBlocking(impatient, () -> "done"));
		new Thread(call).start();
		while (!call.isDone()) {
			this.admission.advance(0.001);
		}
		assertThatThrownBy(call::get).hasCauseInstanceOf(LlmRateLimitException.class);
	}

	@Test
	void anInterruptEndsTheWaitAndLeavesNoTrace() throws Exception {
		TestCall first = this.admission.admit();
		List<Boolean> interrupted = new ArrayList<>();
		Thread thread = new Thread(() -> {
			assertThatExceptionOfType(CancellationException.class)
				.isThrownBy(() -> this.limiter.executeBlocking(CALL, () -> "done"));
			interrupted.add(Thread.currentThread().isInterrupted());
		});
		thread.start();
		awaitWaiting();
		thread.interrupt();
		thread.join();
		assertThat(interrupted).containsExactly(true);
		first.complete();
		this.admission.assertNoTrace();
	}

	@Test
	void anInterruptedThreadThatNeedNotWaitStaysInterrupted() {
		Thread.currentThread().interrupt();
		String result = this.limiter.executeBlocking(CALL, () -> "done");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(result).isEqualTo("done");
		this.admission.assertNoTrace();
	}

	@Test
	void neverParksAThreadThatMustNotBlock() {
		Mono<String> blocking = Mono.fromSupplier(() -> this.limiter.executeBlocking(CALL, () -> "done"))
			.subscribeOn(this.threads);
		assertThatIllegalStateException().isThrownBy(blocking::block).withMessageContaining("use execute or");
		this.admission.assertNoTrace();
	}

	/*
	 * Both are admitted by one release, on this thread. The first waits for the second to
	 * end, which it can only if somebody else hands over its permit.
	 */
	@Test
	void whoParksInsideADeliveryDoesNotHoldUpTheRest() {
		TimeSource time = new RealTime(this.threads);
		LlmRateLimiter limiter = TestAdmission
			.limiter(new AdmissionController(List.of(TestAdmission.plan(LimitPlan.of(tpm(100)).withMaxConcurrency(2))),
					new LocalLimitStore(time), time, List.of()), time);
		Permit all = limiter.acquire(tokens(100)).block();
		List<String> results = new ArrayList<>();
		limiter.acquire(tokens(10)).subscribe((permit) -> {
			results.add(limiter.executeBlocking(tokens(10), () -> "parked"));
			permit.complete(CallOutcome.SUCCESS, null);
		});
		limiter.acquire(tokens(10)).subscribe((permit) -> permit.complete(CallOutcome.SUCCESS, null));
		all.complete(CallOutcome.SUCCESS, new TokenUsage(0, 0));
		assertThat(results).containsExactly("parked");
	}

	@Test
	void aStageHoldsThePermitUntilItEnds() {
		CompletableFuture<String> stage = new CompletableFuture<>();
		CompletableFuture<String> result = this.limiter.executeAsync(CALL, () -> stage);
		this.admission.assertState().hasInFlight(1);
		stage.complete("done");
		assertThat(result.join()).isEqualTo("done");
		this.admission.assertNoTrace();
	}

	@Test
	void aStageThatFailsEndsThePermit() {
		CompletableFuture<String> result = this.limiter.executeAsync(CALL,
				() -> CompletableFuture.failedFuture(new IllegalArgumentException("broken")));
		assertThatThrownBy(result::join).isInstanceOf(CompletionException.class)
			.hasRootCauseInstanceOf(IllegalArgumentException.class);
		this.admission.assertNoTrace();
	}

	@Test
	void aStageThatIsNotStartedYetIsCancelledWithoutATrace() {
		TestCall first = this.admission.admit();
		List<String> started = new ArrayList<>();
		CompletableFuture<String> result = this.limiter.executeAsync(CALL, () -> {
			started.add("second");
			return new CompletableFuture<>();
		});
		result.cancel(true);
		first.complete();
		assertThat(started).isEmpty();
		this.admission.assertNoTrace();
	}

	private FutureTask<String> parked(LlmCall call) {
		FutureTask<String> task = new FutureTask<>(() -> this.limiter.executeBlocking(call, () -> "done"));
		new Thread(task).start();
		awaitWaiting();
		return task;
	}

	private void awaitWaiting() {
		while (this.admission.snapshot().waiting().get(Priority.NORMAL) == 0) {
			Thread.onSpinWait();
		}
	}

	/**
	 * The clocks of this machine, with threads of the test's own.
	 */
	private record RealTime(Scheduler scheduler) implements TimeSource {

		private static final TimeSource SYSTEM = TimeSource.system();

		@Override
		public long nanoTime() {
			return SYSTEM.nanoTime();
		}

		@Override
		public Instant now() {
			return SYSTEM.now();
		}

	}

}
