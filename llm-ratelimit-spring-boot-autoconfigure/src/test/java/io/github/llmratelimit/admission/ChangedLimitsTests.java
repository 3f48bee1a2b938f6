package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.store.LocalLimitStore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tokens;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for limits that are changed, and providers that are paused, while calls wait and
 * are in flight.
 */
class ChangedLimitsTests {

	private static final LimitScope ALL = level(LimitScope.ANY_ACCOUNT, ProviderPlan.ANY_MODEL);

	private TestAdmission admission = TestAdmission.of(tpm(600));

	private static LimitScope level(String account, String group) {
		return new LimitScope("test", account, group);
	}

	private void change(LimitScope level, Limit... limits) {
		await(this.admission.controller.changeLimits(level, (plan) -> LimitPlan.of(limits)));
	}

	private static void await(Mono<Void> change) {
		change.block(Duration.ofSeconds(5));
	}

	private long used(String account) {
		return this.admission.snapshot().accounts().get(account).limits().get(0).used();
	}

	@Test
	void aRaisedLimitLetsWaitingCallsGoAtOnce() {
		this.admission.admit(tokens(600));
		TestCall waiting = this.admission.enter(tokens(500));
		change(ALL, tpm(1200));
		waiting.assertAdmitted();
		assertThat(used("default")).isEqualTo(1100);
	}

	@Test
	void aLoweredLimitForgivesNothing() {
		this.admission.admit(tokens(500));
		change(ALL, tpm(300));
		assertThat(used("default")).isEqualTo(500);
		TestCall waiting = this.admission.enter(tokens(100));
		this.admission.advance(59.9);
		waiting.assertWaiting();
		this.admission.advance(0.1);
		waiting.assertAdmitted();
	}

	@Test
	void aCallThatFitsNoMoreIsTold() {
		this.admission.admit(tokens(600));
		TestCall waiting = this.admission.enter(tokens(400));
		change(ALL, tpm(300));
		waiting.assertRejected(Reason.NEVER_FITS);
		this.admission.enter(tokens(301)).assertRejected(Reason.NEVER_FITS);
		change(ALL, tpm(3000));
		this.admission.admit(tokens(2400));
	}

	@Test
	void aRemovedLimitBlocksNoMore() {
		this.admission.admit(tokens(600));
		TestCall waiting = this.admission.enter(tokens(600));
		change(ALL);
		waiting.assertAdmitted();
		this.admission.admit(tokens(6000));
	}

	@Test
	void aNewLimitBeginsWithWhatIsInFlight() {
		TestCall first = this.admission.admit(tokens(400));
		this.admission.admit(tokens(100)).complete();
		this.admission.advance(1);
		Limit daily = Limit.of("tpd", Counted.TOKENS, 1000, Duration.ofDays(1), LimitAlgorithm.SLIDING_WINDOW);
		change(ALL, daily);
		assertThat(used("default")).isEqualTo(400);
		first.permit().complete(CallOutcome.SUCCESS, new TokenUsage(150, 0));
		assertThat(used("default")).isEqualTo(150);
		this.admission.admit(tokens(850));
		this.admission.enter(tokens(1)).assertRejected(Reason.WAIT_TOO_LONG);
	}

	@Test
	void aLimitOfAnotherKindKeepsWhatIsUsed() {
		this.admission.admit(tokens(500)).complete();
		change(ALL, Limit.of("tpm", Counted.TOKENS, 600, Duration.ofMinutes(1), LimitAlgorithm.SLIDING_WINDOW));
		assertThat(used("default")).isEqualTo(500);
	}

	@Test
	void fewerCallsInFlightEndNone() {
		this.admission = TestAdmission.ofConcurrency(3);
		List<TestCall> held = List.of(this.admission.admit(), this.admission.admit(), this.admission.admit());
		TestCall waiting = this.admission.enter();
		await(this.admission.controller.changeLimits(ALL, (plan) -> plan.withMaxConcurrency(2)));
		held.get(0).complete();
		waiting.assertWaiting();
		held.get(1).complete();
		waiting.assertAdmitted();
		TestCall next = this.admission.enter();
		await(this.admission.controller.changeLimits(ALL, (plan) -> plan.withMaxConcurrency(null)));
		next.assertAdmitted();
	}

	@Test
	void changesOneAccountOrOneModelGroup() {
		ModelGroup small = new ModelGroup("small", List.of("small"), LimitPlan.of(rpm(1)));
		this.admission = new TestAdmission(TestAdmission.accounts(LimitPlan.of(rpm(1)), LimitPlan.of(rpm(1)))
			.withChangedLimits(ALL, (plan) -> LimitPlan.of(rpm(2))));
		change(level("a", ProviderPlan.ANY_MODEL), rpm(1));
		this.admission.admit(CALL.withAccount("a"));
		this.admission.enter(CALL.withAccount("a")).assertWaiting();
		this.admission.admit(CALL.withAccount("b"));
		this.admission.admit(CALL.withAccount("b"));
		this.admission = new TestAdmission(ProviderPlan.of("test", LimitPlan.UNLIMITED, small));
		LlmCall call = CALL.withModel("small");
		this.admission.admit(call);
		TestCall waiting = this.admission.enter(call);
		change(level(LimitScope.ANY_ACCOUNT, "small"), rpm(2));
		waiting.assertAdmitted();
	}

	@Test
	void namesWhatThereIsInsteadOfAnUnknownLevel() {
		assertRefused(level("none", "*"), "account: none (expected: one of [default])");
		assertRefused(level("*", "none"), "model: none (expected: one of [])");
		assertRefused(new LimitScope("none", "*", "*"), "provider: none (expected: one of [test])");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> await(this.admission.controller.pause(ALL, Duration.ZERO, "test")))
			.withMessage("length: PT0S (expected: > 0)");
	}

	private void assertRefused(LimitScope level, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> change(level, rpm(1))).withMessage(message);
		assertThatIllegalArgumentException().isThrownBy(() -> await(this.admission.controller.resume(level)))
			.withMessage(message);
	}

	@Test
	void onlyAResumeEndsAPause() {
		TestCall before = this.admission.admit();
		await(this.admission.controller.pause(ALL, null, "maintenance"));
		TestCall waiting = this.admission.enter();
		before.complete();
		this.admission.advance(25 * 60);
		waiting.assertWaiting();
		assertThat(this.admission.snapshot().accounts().get("default")).satisfies((account) -> {
			assertThat(account.state()).isEqualTo(State.PAUSED);
			assertThat(account.cause()).isEqualTo("maintenance");
			assertThat(account.closedFor()).isNull();
		});
		await(this.admission.controller.resume(ALL));
		waiting.assertAdmitted();
		assertThat(this.admission.snapshot().accounts().get("default").state()).isEqualTo(State.OPEN);
	}

	@Test
	void aResumeLeavesWhatRefusalsHaveClosed() {
		TestCall refused = this.admission.admit();
		await(this.admission.controller.pause(ALL, Duration.ofSeconds(1), "maintenance"));
		refused.permit()
			.refuse(ThrottleSignal.throttled(Tripped.TOKENS, null, "slow down"), Cooldown.of(Duration.ofMinutes(1)));
		await(this.admission.controller.resume(ALL));
		assertThat(this.admission.snapshot().accounts().get("default")).satisfies((account) -> {
			assertThat(account.state()).isEqualTo(State.COOLING_DOWN);
			assertThat(account.cause()).isEqualTo("slow down");
		});
	}

	@Test
	void aPauseEndsWhenItSaid() {
		await(this.admission.controller.pause(ALL, Duration.ofMinutes(5), "maintenance"));
		this.admission.enter(CALL.withMaxWait(Duration.ofMinutes(4))).assertRejected(Reason.PAUSED);
		TestCall waiting = this.admission.enter();
		this.admission.advance(299.9);
		waiting.assertWaiting();
		this.admission.advance(0.1);
		waiting.assertAdmitted();
	}

	@Test
	void aCallDoesNotWaitLongerForAPauseThanItMay() {
		await(this.admission.controller.pause(ALL, null, "maintenance"));
		TestCall waiting = this.admission.enter(CALL.withMaxWait(Duration.ofSeconds(30)));
		this.admission.advance(30);
		waiting.assertRejected(Reason.WAIT_TOO_LONG);
		this.admission.assertNoTrace();
	}

	@Test
	void otherAccountsGoOn() {
		this.admission = new TestAdmission(TestAdmission.accounts(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED));
		await(this.admission.controller.pause(level("a", "*"), null, "maintenance"));
		this.admission.enter(CALL.withAccount("a")).assertWaiting();
		this.admission.admit(CALL.withAccount("b"));
	}

	@Test
	void listenersAreTold() {
		StringBuilder told = new StringBuilder();
		this.admission = new TestAdmission(TestAdmission.plan(LimitPlan.UNLIMITED), LocalLimitStore::new,
				new RateLimitListener() {

					@Override
					public void onLevelChanged(LevelChange change) {
						told.append(change.state()).append(' ').append(change.cause()).append(';');
					}

				});
		await(this.admission.controller.resume(ALL));
		await(this.admission.controller.pause(ALL, null, "maintenance"));
		await(this.admission.controller.resume(ALL));
		assertThat(told).hasToString("PAUSED maintenance;OPEN null;");
	}

}
