package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RecordingListener;
import io.github.llmratelimit.testing.SnapshotAssert;
import io.github.llmratelimit.time.TimeSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static io.github.llmratelimit.admission.TestAdmission.CALL;

/**
 * Tests that asking for permits, ending them and the drain block no thread, on real
 * threads and in real time. BlockHound throws wherever a thread of Reactor's would park.
 */
class NonBlockingTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private Scheduler threads;

	/* Shared threads that other tests have started would not survive it. */
	@BeforeAll
	static void installBlockHound() {
		BlockHound.install();
		Schedulers.shutdownNow();
	}

	@BeforeEach
	void startThreads() {
		this.threads = Schedulers.newParallel("non-blocking", 4);
	}

	@AfterEach
	void stopThreads() {
		this.threads.dispose();
	}

	private static CallAdmission limiter(LimitPlan plan) {
		TimeSource time = TimeSource.system();
		ProviderPlan provider = ProviderPlan.of("test", plan).withQueue(QueueRules.DEFAULT.withCapacity(100_000));
		return new AdmissionController(List.of(provider), new LocalLimitStore(time), time,
				List.of(new RecordingListener()));
	}

	private Flux<Permit> acquire(CallAdmission limiter, int calls) {
		return Flux.range(0, calls)
			.flatMap((call) -> Mono.defer(() -> limiter.acquire(CALL.withTokens(1, 1))).subscribeOn(this.threads), 500);
	}

	@Test
	void noticesAThreadThatBlocks() {
		Mono<Boolean> blocking = Mono.fromCallable(() -> new CountDownLatch(1).await(5, TimeUnit.SECONDS))
			.subscribeOn(this.threads);
		StepVerifier.create(blocking).expectError(BlockingOperationError.class).verify(PATIENCE);
	}

	@Test
	void blocksNothingOnTheFastPath() {
		CallAdmission limiter = limiter(LimitPlan.UNLIMITED.withMaxConcurrency(1_000_000));
		StepVerifier.create(acquire(limiter, 10_000).doOnNext(NonBlockingTests::complete).then())
			.expectComplete()
			.verify(PATIENCE);
		assertIdle(limiter);
	}

	@Test
	void blocksNothingWhileCallsWaitForEachOther() {
		CallAdmission limiter = limiter(LimitPlan.UNLIMITED.withMaxConcurrency(3));
		StepVerifier.create(acquire(limiter, 5_000).publishOn(this.threads).doOnNext(NonBlockingTests::complete).then())
			.expectComplete()
			.verify(PATIENCE);
		assertIdle(limiter);
	}

	@Test
	void blocksNothingWhileCallsWaitForTime() {
		CallAdmission limiter = limiter(LimitPlan
			.of(Limit.of("limit", Counted.TOKENS, 200, Duration.ofMillis(5), LimitAlgorithm.TOKEN_BUCKET)));
		StepVerifier.create(acquire(limiter, 3_000).doOnNext(NonBlockingTests::complete).then())
			.expectComplete()
			.verify(PATIENCE);
		assertIdle(limiter);
	}

	@Test
	void blocksNothingWhenCallsAreRefusedAndCancelled() {
		CallAdmission limiter = limiter(LimitPlan.UNLIMITED.withMaxConcurrency(2));
		ThrottleSignal signal = ThrottleSignal.throttled(Tripped.UNKNOWN, null, null);
		Flux<Permit> calls = Flux.range(0, 2_000)
			.flatMap(
					(call) -> limiter.acquire(CALL)
						.subscribeOn(this.threads)
						.timeout(Duration.ofMillis(1 + call % 20), this.threads)
						.onErrorComplete()
						.doOnNext((permit) -> permit.refuse(signal, Cooldown.of(Duration.ofNanos(1 + call % 1000)))),
					500);
		StepVerifier.create(calls.then()).expectComplete().verify(PATIENCE);
		assertIdle(limiter);
	}

	private static void complete(Permit permit) {
		permit.complete(CallOutcome.SUCCESS, new TokenUsage(1, 0));
	}

	/* Another thread may still be about to take in who has left. */
	private static void assertIdle(CallAdmission limiter) {
		Awaitility.await()
			.atMost(PATIENCE)
			.untilAsserted(() -> SnapshotAssert.assertThat(limiter.snapshot().blockFirst(PATIENCE)).isIdle());
	}

}
