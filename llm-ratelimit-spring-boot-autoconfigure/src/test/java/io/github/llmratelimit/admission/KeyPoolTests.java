package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.KeyPool.Selection;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.RaceTestUtils;
import io.github.llmratelimit.testing.RaceTestUtils.Race;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tokens;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Which key a call gets, and what becomes of keys that are not accepted. The accounts are
 * {@code a} with the keys {@code a1} and {@code a2}, and {@code b} with {@code b1}.
 */
class KeyPoolTests {

	private static final ThrottleSignal REJECTED = ThrottleSignal.of(CallOutcome.KEY_REJECTED);

	private static final ThrottleSignal KEY_QUOTA = quota(ThrottleSignal.Level.KEY, null);

	private final List<LevelChange> changes = new ArrayList<>();

	private static KeyPool pool(Selection selection, DoubleSupplier random) {
		Map<String, String> keys = new LinkedHashMap<>();
		keys.put("a1", "a");
		keys.put("a2", "a");
		keys.put("b1", "b");
		return new KeyPool(keys, selection, random);
	}

	static ProviderPlan plan(LimitPlan a, LimitPlan b) {
		return TestAdmission.accounts(a, b).withKeys(pool(Selection.LEAST_WAIT, () -> 0));
	}

	private TestAdmission admission(ProviderPlan plan) {
		return new TestAdmission(plan, LocalLimitStore::new, new RateLimitListener() {

			@Override
			public void onLevelChanged(LevelChange change) {
				KeyPoolTests.this.changes.add(change);
			}

		});
	}

	private TestAdmission admission(LimitPlan a, LimitPlan b) {
		return admission(plan(a, b));
	}

	private TestAdmission unlimited() {
		return admission(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED);
	}

	private static ThrottleSignal quota(ThrottleSignal.Level level, Duration reset) {
		return new ThrottleSignal(CallOutcome.QUOTA_EXHAUSTED, Tripped.NONE, reset, "used up", level);
	}

	private static List<String> keys(TestAdmission admission, int calls) {
		List<String> keys = new ArrayList<>();
		for (int i = 0; i < calls; i++) {
			keys.add(admission.admit().permit().key());
		}
		return keys;
	}

	private static void refuse(TestCall call, ThrottleSignal signal) {
		call.permit().refuse(signal, Cooldown.NONE);
	}

	private static void throttle(TestAdmission admission, String account, int seconds) {
		admission.admit(CALL.withAccount(account))
			.permit()
			.refuse(ThrottleSignal.throttled(Tripped.UNKNOWN, null, null), Cooldown.of(Duration.ofSeconds(seconds)));
	}

	/** The first call that gets the key has it rejected. */
	private static void reject(TestAdmission admission, String key) {
		refuse(admission.admit(CALL.withKey(key)), REJECTED);
	}

	@Test
	void spreadsCallsByUseAndKeysOfAnAccountTakeTurns() {
		TestAdmission admission = admission(LimitPlan.of(rpm(10)), LimitPlan.of(rpm(10)));
		assertThat(keys(admission, 8)).containsExactly("a1", "b1", "a2", "b1", "a1", "b1", "a2", "b1");
	}

	@Test
	void spreadsCallsByUseAlsoInFlightAndWithoutLimits() {
		assertThat(keys(unlimited(), 4)).containsExactly("a1", "b1", "a2", "b1");
		TestAdmission admission = admission(LimitPlan.UNLIMITED.withMaxConcurrency(8),
				LimitPlan.UNLIMITED.withMaxConcurrency(4));
		assertThat(keys(admission, 12)).filteredOn("b1"::equals).hasSize(4);
	}

	@Test
	void usesAccountsOfDifferentSizeInProportion() {
		TestAdmission admission = admission(LimitPlan.of(rpm(10)), LimitPlan.of(rpm(30)));
		assertThat(keys(admission, 20)).filteredOn("b1"::equals).hasSize(15);
		assertThat(keys(admission, 20)).filteredOn("b1"::equals).hasSize(15);
		admission.enter().assertWaiting();
	}

	@Test
	void usesAccountsFairlyWhateverTheSizesOfCalls() {
		for (long seed = 0; seed < 50; seed++) {
			Random random = new Random(seed);
			TestAdmission admission = admission(LimitPlan.of(tpm(100_000)), LimitPlan.of(tpm(100_000)));
			for (int i = 0; i < 100; i++) {
				admission.admit(tokens(1 + random.nextInt(500)));
				long a = used(admission, "a");
				long b = used(admission, "b");
				assertThat(Math.abs(a - b)).isLessThanOrEqualTo(500);
			}
		}
	}

	private static long used(TestAdmission admission, String account) {
		return admission.snapshot().accounts().get(account).limits().get(0).used();
	}

	@Test
	void takesTurnsWhateverIsUsed() {
		TestAdmission admission = admission(TestAdmission.accounts(LimitPlan.of(rpm(10)), LimitPlan.of(rpm(100)))
			.withKeys(pool(Selection.ROUND_ROBIN, () -> 0)));
		assertThat(keys(admission, 6)).containsExactly("a1", "b1", "a2", "b1", "a1", "b1");
		assertThat(keys(admission, 14)).filteredOn("b1"::equals).hasSize(7);
		assertThat(keys(admission, 5)).containsOnly("b1");
	}

	@Test
	void takesAnyAccountAtRandom() {
		Random random = new Random(7);
		TestAdmission admission = admission(TestAdmission.accounts(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED)
			.withKeys(pool(Selection.RANDOM, random::nextDouble)));
		assertThat(keys(admission, 1000)).filteredOn("b1"::equals).hasSizeBetween(450, 550);
	}

	@ParameterizedTest
	@EnumSource
	void passesOverAnAccountThatCoolsDown(Selection selection) {
		TestAdmission admission = admission(TestAdmission.accounts(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED)
			.withKeys(pool(selection, new Random(1)::nextDouble)));
		throttle(admission, "a", 10);
		assertThat(keys(admission, 5)).containsOnly("b1");
	}

	@Test
	void waitsForTheSoonestOfAll() {
		TestAdmission admission = unlimited();
		throttle(admission, "a", 20);
		throttle(admission, "b", 10);
		TestCall call = admission.enter();
		admission.advance(9.9);
		call.assertWaiting();
		admission.advance(0.1);
		assertThat(call.permit().key()).isEqualTo("b1");
	}

	@ParameterizedTest
	@EnumSource(names = { "QUOTA_EXHAUSTED", "BANNED" })
	void passesOverAnAccountThatIsOutOfService(CallOutcome outcome) {
		TestAdmission admission = unlimited();
		refuse(admission.admit(CALL.withAccount("a")),
				new ThrottleSignal(outcome, Tripped.NONE, Duration.ofHours(1), null, ThrottleSignal.Level.ACCOUNT));
		assertThat(keys(admission, 5)).containsOnly("b1");
	}

	@Test
	void takesAKeyThatBecomesFreeSoonerThanAnyIsKnownToBe() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED.withMaxConcurrency(1));
		throttle(admission, "a", 30);
		TestCall holder = admission.admit();
		TestCall hurried = admission.enter(CALL.withMaxWait(Duration.ofSeconds(10)));
		admission.advance(5);
		hurried.assertWaiting();
		holder.complete();
		assertThat(hurried.permit().key()).isEqualTo("b1");
	}

	@Test
	void takesAKeyThatIsFreeAtAKnownMomentWhileAnotherIsHeld() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED.withMaxConcurrency(1));
		throttle(admission, "a", 30);
		admission.admit();
		TestCall waiting = admission.enter();
		admission.advance(30);
		assertThat(waiting.permit().scope().account()).isEqualTo("a");
	}

	@Test
	void takesAKeyThatBecomesFreeAtAnyLevelOfItsAccount() {
		LimitPlan one = LimitPlan.UNLIMITED.withMaxConcurrency(1);
		ModelGroup small = new ModelGroup("small", List.of("small"), one);
		TestAdmission admission = admission(ProviderPlan.of("test", one, small)
			.withAccounts(TestAdmission.accounts(one, LimitPlan.UNLIMITED).accounts())
			.withKeys(pool(Selection.LEAST_WAIT, () -> 0)));
		admission.admit(CALL.withModel("small").withAccount("b"));
		TestCall holder = admission.admit(CALL.withAccount("a"));
		TestCall waiting = admission.enter(CALL.withModel("small"));
		waiting.assertWaiting();
		holder.complete();
		assertThat(waiting.permit().scope().account()).isEqualTo("a");
	}

	@Test
	void takesARejectedKeyOutOfServiceAlone() {
		TestAdmission admission = unlimited();
		reject(admission, "a1");
		assertThat(this.changes).singleElement().satisfies((change) -> {
			assertThat(change.scope().account()).isEqualTo("a");
			assertThat(change.scope().modelGroup()).isEqualTo(ProviderPlan.ANY_MODEL);
			assertThat(change.key()).isEqualTo("a1");
			assertThat(change.state()).isEqualTo(State.OUT_OF_SERVICE);
			assertThat(change.cause()).isEqualTo("key rejected");
			assertThat(change.alert()).isTrue();
		});
		assertThat(admission.snapshot().accounts().get("a").state()).isEqualTo(State.OPEN);
		assertThat(admission.snapshot().accounts().get("a").keys())
			.containsExactly(Map.entry("a1", State.OUT_OF_SERVICE), Map.entry("a2", State.OPEN));
		assertThat(keys(admission, 10)).contains("a2", "b1").doesNotContain("a1");
	}

	@Test
	void tellsOfARejectedKeyOnce() {
		TestAdmission admission = unlimited();
		TestCall first = admission.admit(CALL.withKey("a1"));
		TestCall second = admission.admit(CALL.withKey("a1"));
		admission.advance(1);
		refuse(first, REJECTED);
		refuse(second, REJECTED);
		assertThat(this.changes).hasSize(1);
	}

	@Test
	void triesARejectedKeyAgainByAProbe() {
		TestAdmission admission = unlimited();
		reject(admission, "b1");
		admission.advance(600);
		assertThat(keys(admission, 1)).containsExactly("a1");
		TestCall probe = admission.admit();
		assertThat(probe.permit().key()).isEqualTo("b1");
		assertThat(probe.permit().isProbe()).isTrue();
		assertThat(keys(admission, 5)).doesNotContain("b1");
		refuse(probe, REJECTED);
		assertThat(this.changes).hasSize(1);
		admission.advance(600);
		admission.admit(CALL.withKey("b1")).complete();
		assertThat(this.changes).extracting(LevelChange::key, LevelChange::state)
			.containsExactly(tuple("b1", State.OUT_OF_SERVICE), tuple("b1", State.OPEN));
		assertThat(keys(admission, 10)).contains("b1");
	}

	@Test
	void doesNotBelieveALateRejectionOfAKeyThatWasAcceptedSince() {
		TestAdmission admission = unlimited();
		TestCall late = admission.admit(CALL.withKey("b1"));
		admission.advance(1);
		reject(admission, "b1");
		admission.advance(600);
		admission.admit(CALL.withKey("b1")).complete();
		refuse(late, REJECTED);
		assertThat(admission.snapshot().accounts().get("b").keys()).containsEntry("b1", State.OPEN);
	}

	@Test
	void failsCallsAtOnceWhenNoKeyIsLeft() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED.withMaxConcurrency(1));
		reject(admission, "a1");
		reject(admission, "a2");
		TestCall holder = admission.admit();
		TestCall waiting = admission.enter();
		refuse(holder, REJECTED);
		LlmRateLimitException failure = waiting.assertRejected(Reason.NO_KEY);
		assertThat(failure.retryAfter()).isEqualTo(Duration.ofMinutes(10));
		assertThat(failure).hasMessageContaining("accepts no key");
		admission.enter().assertRejected(Reason.NO_KEY);
	}

	@Test
	void takesAKeyOutOfServiceWhoseOwnQuotaIsUsedUp() {
		TestAdmission admission = unlimited();
		refuse(admission.admit(CALL.withKey("a1")), KEY_QUOTA);
		assertThat(this.changes).isEmpty();
		refuse(admission.admit(CALL.withKey("a1")), KEY_QUOTA);
		assertThat(this.changes).extracting(LevelChange::key, LevelChange::cause)
			.containsExactly(tuple("a1", "used up"));
		assertThat(keys(admission, 10)).contains("a2").doesNotContain("a1");
		admission.enter(CALL.withKey("a1")).assertRejected(Reason.QUOTA_EXHAUSTED);
	}

	@Test
	void putsAKeyBackIntoServiceWhenItsQuotaIsReset() {
		TestAdmission admission = unlimited();
		refuse(admission.admit(CALL.withKey("b1")), quota(ThrottleSignal.Level.KEY, Duration.ofMinutes(5)));
		assertThat(keys(admission, 5)).doesNotContain("b1");
		admission.advance(300);
		assertThat(keys(admission, 4)).contains("b1");
	}

	@Test
	void usesTheKeyThatACallNames() {
		TestAdmission admission = unlimited();
		Permit permit = admission.admit(CALL.withKey("a2")).permit();
		assertThat(permit.key()).isEqualTo("a2");
		assertThat(permit.scope().account()).isEqualTo("a");
		assertThat(keys(admission, 1)).containsExactly("b1");
	}

	@Test
	void holdsUpNobodyForAKeyThatOneCallAloneCannotUse() {
		TestAdmission admission = unlimited();
		TestCall a1 = admission.admit(CALL.withKey("a1"));
		throttle(admission, "a", 10);
		TestCall pinned = admission.enter(CALL.withKey("a1"));
		TestCall other = admission.enter(CALL.withAccount("a"));
		admission.advance(1);
		refuse(a1, REJECTED);
		pinned.assertRejected(Reason.NO_KEY);
		admission.advance(10);
		assertThat(other.permit().key()).isEqualTo("a2");
	}

	@Test
	void countsAKeyOfTheCallersOwnInItsAccountAndClosesNothingForIt() {
		TestAdmission admission = admission(LimitPlan.of(rpm(1)), LimitPlan.of(rpm(1)));
		LlmCall own = CALL.withKey(LlmCall.OWN_KEY).withAccount("a");
		TestCall call = admission.admit(own);
		assertThat(call.permit().key()).isNull();
		refuse(call, REJECTED);
		admission.advance(60);
		refuse(admission.admit(own), quota(ThrottleSignal.Level.KEY, Duration.ofHours(1)));
		assertThat(this.changes).isEmpty();
		admission.enter(own).assertWaiting();
		assertThat(keys(admission, 1)).containsExactly("b1");
	}

	@Test
	void refusesUnknownKeysAndAccounts() {
		TestAdmission admission = unlimited();
		assertThatIllegalArgumentException().isThrownBy(() -> acquire(admission, CALL.withKey("c1")))
			.withMessage("key: c1 (expected: one of [a1, a2, b1])");
		assertThatIllegalArgumentException().isThrownBy(() -> acquire(admission, CALL.withKey("b1").withAccount("a")))
			.withMessage("key: b1 (expected: one of [a1, a2])");
		assertThatIllegalArgumentException().isThrownBy(() -> acquire(admission, CALL.withAccount("c")))
			.withMessage("account: c (expected: one of [a, b])");
	}

	private static Permit acquire(TestAdmission admission, LlmCall call) {
		return admission.controller.acquire(call).block();
	}

	@Test
	void asksWhichAccountACallBelongsTo() {
		TestAdmission admission = unlimited();
		AdmissionController controller = new AdmissionController(
				List.of(plan(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED)), List.of(), new LocalLimitStore(admission.time),
				(call, context) -> context.getOrDefault("tenant", null), admission.time, List.of());
		Mono<Permit> call = controller.acquire(CALL);
		assertThat(call.contextWrite((context) -> context.put("tenant", "b")).block().key()).isEqualTo("b1");
		assertThat(call.contextWrite((context) -> context.put("tenant", "a")).block().key()).isEqualTo("a1");
		assertThat(call.contextWrite((context) -> context.put("tenant", "a")).block().key()).isEqualTo("a2");
		assertThat(call.block().key()).isNotNull();
		assertThat(controller.acquire(CALL.withKey("b1"))
			.contextWrite((context) -> context.put("tenant", "a"))
			.block()
			.key()).isEqualTo("b1");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> call.contextWrite((context) -> context.put("tenant", "c")).block())
			.withMessage("account: c (expected: one of [a, b])");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new AdmissionController(List.of(plan(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED)),
					List.of(), new LocalLimitStore(admission.time), (asked, context) -> {
						throw new IllegalArgumentException("no tenant");
					}, admission.time, List.of())
				.acquire(CALL)
				.block())
			.withMessage("no tenant");
	}

	@Test
	void choosesAKeyAlsoForAProviderThatIsOnlyWatched() {
		TestAdmission admission = admission(plan(LimitPlan.of(rpm(1)), LimitPlan.of(rpm(1))).withShadow(true));
		assertThat(keys(admission, 2)).containsExactly("a1", "b1");
		reject(admission, "a2");
		assertThat(keys(admission, 10)).doesNotContainNull().doesNotContain("a2");
		reject(admission, "a1");
		reject(admission, "b1");
		assertThat(keys(admission, 5)).doesNotContainNull();
	}

	@Test
	@Tag("race")
	void losesNothingWhenAKeyGoesOutOfServiceDuringAnAdmission() {
		RaceTestUtils.repeat(() -> {
			TestAdmission admission = new TestAdmission(
					plan(LimitPlan.UNLIMITED.withMaxConcurrency(2), LimitPlan.UNLIMITED.withMaxConcurrency(1)));
			TestCall rejected = admission.admit(CALL.withKey("a1"));
			TestCall[] entered = { new TestCall(admission), new TestCall(admission) };
			return Race.of(() -> {
				for (TestCall call : entered) {
					call.assertAdmitted();
				}
				assertThat(List.of(entered)).extracting((call) -> call.permit().scope().account())
					.containsExactlyInAnyOrder("a", "b");
				List.of(entered).forEach(TestCall::complete);
				assertThat(keys(admission, 3)).doesNotContain("a1");
				admission.assertState().hasInFlight(3);
			}, () -> refuse(rejected, REJECTED), () -> admission.controller.acquire(CALL).subscribe(entered[0]),
					() -> admission.controller.acquire(CALL).subscribe(entered[1]));
		});
	}

}
