package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.testing.RaceTestUtils;
import io.github.llmratelimit.testing.RaceTestUtils.Race;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Races of grant, cancel, timeout, complete and enter on real threads: whoever wins, no
 * permit is lost and none is given twice.
 */
@Tag("race")
class AdmissionRaceTests {

	private static final LlmCall PATIENT = CALL.withMaxWait(Duration.ofDays(1));

	private static ProviderPlan plan(int concurrency) {
		return TestAdmission.plan(LimitPlan.UNLIMITED.withMaxConcurrency(concurrency));
	}

	@Test
	void losesNoPermitWhenAWaiterIsCancelledDuringTheGrant() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(1));
			Permit holder = racer.hold();
			Disposable waiting = racer.enter();
			return Race.of(() -> racer.assertNothingLost(waiting), () -> complete(holder), waiting::dispose);
		});
	}

	@Test
	void losesNoPermitWhenAWaiterTimesOutDuringTheGrant() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(1));
			Permit holder = racer.hold();
			Sinks.Empty<Void> timeout = Sinks.empty();
			Disposable waiting = racer.enter(racer.acquire().timeout(timeout.asMono()).onErrorComplete());
			return Race.of(() -> racer.assertNothingLost(waiting), () -> complete(holder), timeout::tryEmitEmpty);
		});
	}

	@Test
	void losesNoPermitWhenADeadlinePassesDuringTheGrant() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(1));
			Permit holder = racer.hold();
			Disposable waiting = racer
				.enter(racer.admission.controller.acquire(CALL.withMaxWait(Duration.ofSeconds(1))).onErrorComplete());
			return Race.of(() -> racer.assertNothingLost(waiting), () -> complete(holder),
					() -> racer.admission.advance(1));
		});
	}

	@Test
	void losesNoPermitWhenGrantCancelDeadlineAndArrivalMeet() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(1));
			Permit holder = racer.hold();
			Disposable waiting = racer
				.enter(racer.admission.controller.acquire(CALL.withMaxWait(Duration.ofSeconds(1))).onErrorComplete());
			return Race.of(() -> racer.assertNothingLost(waiting), () -> complete(holder),
					() -> racer.admission.advance(1), waiting::dispose, racer::enter);
		});
	}

	@Test
	void losesNoPermitWhenAWaiterIsCancelledWhileItEnters() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(1));
			AtomicReference<Permit> holder = new AtomicReference<>(racer.hold());
			Sinks.Empty<Void> cancel = Sinks.empty();
			Mono<Permit> acquire = racer.acquire().takeUntilOther(cancel.asMono());
			return Race.of(() -> racer.assertNothingLost(), () -> complete(holder.get()), () -> racer.enter(acquire),
					cancel::tryEmitEmpty);
		});
	}

	@Test
	void missesNoCompletionWhileAWaiterEnters() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(1));
			Permit holder = racer.hold();
			AtomicReference<Disposable> entered = new AtomicReference<>();
			return Race.of(() -> {
				assertThat(entered.get().isDisposed()).as("admitted").isTrue();
				racer.assertNothingLost();
			}, () -> complete(holder), () -> entered.set(racer.enter()));
		});
	}

	@Test
	void endsAPermitOnceHoweverManyTry() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(2));
			Permit permit = racer.hold();
			AtomicInteger ended = new AtomicInteger();
			Runnable complete = () -> ended.addAndGet(permit.complete(CallOutcome.SUCCESS, null) ? 1 : 0);
			return Race.of(() -> {
				assertThat(ended).hasValue(1);
				racer.admission.assertNoTrace();
			}, complete, complete, complete);
		});
	}

	@Test
	void neverHoldsMoreThanTheQueueCanTake() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(1).withQueue(QueueRules.DEFAULT.withCapacity(2)));
			Permit holder = racer.hold();
			Runnable enter = () -> racer.enter(racer.acquire().onErrorComplete());
			return Race.of(() -> {
				assertThat(racer.admission.waiting()).isEqualTo(2);
				complete(holder);
				racer.assertNothingLost();
			}, enter, enter, enter);
		});
	}

	@Test
	void neverExceedsTheLimitWhenAllEnterAndCompleteAtOnce() {
		RaceTestUtils.repeat(() -> {
			Racer racer = new Racer(plan(2));
			AtomicInteger inFlight = new AtomicInteger();
			AtomicInteger done = new AtomicInteger();
			Runnable calls = () -> {
				for (int i = 0; i < 5; i++) {
					racer.acquire().subscribe((permit) -> {
						assertThat(inFlight.incrementAndGet()).isLessThanOrEqualTo(2);
						inFlight.decrementAndGet();
						complete(permit);
						done.incrementAndGet();
					});
				}
			};
			return Race.of(() -> {
				assertThat(done).hasValue(15);
				racer.assertNothingLost();
			}, calls, calls, calls);
		});
	}

	private static void complete(Permit permit) {
		permit.complete(CallOutcome.SUCCESS, null);
	}

	/**
	 * A new controller; calls that enter it complete as soon as they are admitted.
	 */
	private static final class Racer {

		private final TestAdmission admission;

		Racer(ProviderPlan plan) {
			this.admission = new TestAdmission(plan);
		}

		Mono<Permit> acquire() {
			return this.admission.controller.acquire(PATIENT);
		}

		Permit hold() {
			AtomicReference<Permit> permit = new AtomicReference<>();
			acquire().subscribe(permit::set);
			return permit.get();
		}

		Disposable enter() {
			return enter(acquire());
		}

		Disposable enter(Mono<Permit> acquire) {
			return acquire.subscribe(AdmissionRaceTests::complete);
		}

		/** Whoever still waits goes now, and then all is free. */
		void assertNothingLost(Disposable... waiting) {
			for (Disposable waiter : waiting) {
				assertThat(waiter.isDisposed()).as("answered").isTrue();
			}
			this.admission.assertNoTrace();
			assertThat(hold()).as("free slot").isNotNull();
		}

	}

}
