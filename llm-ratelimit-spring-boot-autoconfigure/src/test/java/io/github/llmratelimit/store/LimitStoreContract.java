package io.github.llmratelimit.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.limit.Verdict.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every {@link LimitStore} must do. Uses nothing but the port and a clock that can
 * be moved.
 */
public abstract class LimitStoreContract {

	private static final LlmCall CALL = LlmCall.to("test");

	private LimitStore store;

	private ProviderLimits limits;

	private ProviderPlan plan;

	/**
	 * Create a store that knows nothing yet.
	 */
	protected abstract LimitStore createStore();

	/**
	 * Move the clock of the store.
	 */
	protected abstract void advance(Duration duration);

	/**
	 * How exact the clock of the store is.
	 */
	protected Duration resolution() {
		return Duration.ofNanos(1);
	}

	@BeforeEach
	void create() {
		this.store = createStore();
	}

	private static Limit limit(Counted counts, long amount, LimitAlgorithm algorithm) {
		return Limit.of(counts.label(), counts, amount, Duration.ofMinutes(1), algorithm);
	}

	private static Limit requests(long amount) {
		return limit(Counted.REQUESTS, amount, LimitAlgorithm.SLIDING_WINDOW);
	}

	private static Limit tokens(long amount) {
		return limit(Counted.TOKENS, amount, LimitAlgorithm.SLIDING_WINDOW);
	}

	private static ModelGroup group(String name, Limit... limits) {
		return new ModelGroup(name, List.of(name), LimitPlan.of(limits));
	}

	private void register(ProviderPlan plan) {
		this.plan = plan;
		this.limits = this.store.open(plan);
	}

	private void register(LimitPlan plan, ModelGroup... groups) {
		register(ProviderPlan.of("test", plan, groups));
	}

	private void registerAccounts(LimitPlan a, LimitPlan b, ModelGroup... groups) {
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		accounts.put("a", a);
		accounts.put("b", b);
		register(ProviderPlan.of("test", a, groups).withAccounts(accounts));
	}

	private Claim claim(LlmCall call) {
		return new Claim(call, this.plan.scopeOf(call));
	}

	private List<Verdict> reserve(Claim... claims) {
		return answer(this.limits.reserve(List.of(claims)));
	}

	private List<Verdict> reserve(LlmCall... calls) {
		List<Claim> claims = new ArrayList<>();
		for (LlmCall call : calls) {
			claims.add(claim(call));
		}
		return answer(this.limits.reserve(claims));
	}

	private Verdict reserveOne(LlmCall call) {
		return reserve(call).get(0);
	}

	private Claim take(LlmCall call) {
		Claim claim = claim(call);
		assertThat(reserve(claim)).containsExactly(Verdict.GRANTED);
		return claim;
	}

	private static <T> T answer(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
	}

	private LevelSnapshot account(String name) {
		return answer(this.limits.snapshot()).get(name);
	}

	private static LlmCall call(int tokens) {
		return CALL.withTokens(tokens, 0);
	}

	private static List<Kind> kinds(List<Verdict> verdicts) {
		return verdicts.stream().map(Verdict::kind).toList();
	}

	@Test
	void answersEachClaimInOrder() {
		register(LimitPlan.of(requests(2)));
		assertThat(kinds(reserve(CALL, CALL, CALL))).containsExactly(Kind.GRANTED, Kind.GRANTED, Kind.WAIT);
		assertThat(answer(this.limits.reserve(List.of()))).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(LimitAlgorithm.class)
	void grantsExactlyWhenItSaid(LimitAlgorithm algorithm) {
		register(LimitPlan.of(limit(Counted.TOKENS, 60, algorithm)));
		take(call(60));
		Duration wait = Duration.ofNanos(reserveOne(call(60)).waitNanos());
		assertThat(wait).isBetween(Duration.ofMillis(1), Duration.ofMinutes(1));
		advance(wait.minus(resolution()));
		assertThat(reserveOne(call(60)).kind()).isEqualTo(Kind.WAIT);
		advance(resolution());
		assertThat(reserveOne(call(60))).isEqualTo(Verdict.GRANTED);
	}

	@Test
	void takesNothingOfARefusedClaim() {
		register(LimitPlan.of(requests(10), tokens(100)).withMaxConcurrency(10), group("small", tokens(50)));
		take(call(60));
		LevelSnapshot before = account("default");
		assertThat(reserveOne(call(50)).kind()).isEqualTo(Kind.WAIT);
		assertThat(reserveOne(call(51).withModel("small")).kind()).isEqualTo(Kind.NEVER_FITS);
		assertThat(reserveOne(call(101)).kind()).isEqualTo(Kind.NEVER_FITS);
		assertThat(account("default")).isEqualTo(before);
	}

	@Test
	void keepsWhatARefusedClaimWaitsForFromThoseBehindIt() {
		register(LimitPlan.of(tokens(100)), group("small", requests(1)), group("large", requests(10)));
		take(call(60).withModel("small"));
		List<Verdict> verdicts = reserve(call(50), call(10).withModel("large"), CALL.withModel("large"));
		assertThat(kinds(verdicts)).containsExactly(Kind.WAIT, Kind.WAIT, Kind.GRANTED);
		assertThat(verdicts.get(1).waitNanos()).isEqualTo(verdicts.get(0).waitNanos());
		assertThat(reserveOne(call(10).withModel("large"))).isEqualTo(Verdict.GRANTED);
	}

	@Test
	void keepsWhatIsUsedWhenLimitsAreReplaced() {
		register(LimitPlan.of(tokens(100)), group("small", requests(1)));
		take(call(60).withModel("small"));
		replace(ProviderPlan.ANY_MODEL, tokens(80));
		assertThat(reserveOne(call(30)).kind()).isEqualTo(Kind.WAIT);
		replace(ProviderPlan.ANY_MODEL, tokens(200));
		take(call(140));
		assertThat(reserveOne(call(1)).kind()).isEqualTo(Kind.WAIT);
		replace(ProviderPlan.ANY_MODEL);
		replace("small", requests(2));
		take(call(1000).withModel("small"));
		assertThat(reserveOne(CALL.withModel("small")).kind()).isEqualTo(Kind.WAIT);
	}

	private void replace(String group, Limit... limits) {
		answer(this.limits.replace(new LimitScope("test", LimitScope.ANY_ACCOUNT, group), LimitPlan.of(limits)));
	}

	@Test
	void beginsANewLimitWithWhatIsInFlight() {
		register(LimitPlan.UNLIMITED);
		take(call(70));
		replace(ProviderPlan.ANY_MODEL, tokens(100), requests(2));
		assertThat(reserveOne(call(40)).kind()).isEqualTo(Kind.WAIT);
		take(call(30));
		assertThat(reserveOne(CALL).kind()).isEqualTo(Kind.WAIT);
	}

	@Test
	void pausesAnAccountUntilItIsResumed() {
		registerAccounts(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED);
		LimitScope a = new LimitScope("test", "a", ProviderPlan.ANY_MODEL);
		Claim before = take(CALL.withAccount("a"));
		assertThat(answer(this.limits.pause(a, null, "test"))).hasSize(1);
		this.limits.settle(before, CallOutcome.SUCCESS, null);
		assertThat(kinds(reserve(CALL.withAccount("a"), CALL.withAccount("b")))).containsExactly(Kind.WAIT_FOR_RELEASE,
				Kind.GRANTED);
		assertThat(account("a").state()).isEqualTo(State.PAUSED);
		assertThat(answer(this.limits.resume(a))).hasSize(1);
		assertThat(answer(this.limits.resume(a))).isEmpty();
		take(CALL.withAccount("a"));
		answer(this.limits.pause(a, Duration.ofSeconds(10), "test"));
		assertThat(reserveOne(CALL.withAccount("a")).kind()).isEqualTo(Kind.WAIT);
		advance(Duration.ofSeconds(10));
		take(CALL.withAccount("a"));
	}

	@Test
	void letsOtherGroupsPassABlockedOne() {
		register(LimitPlan.of(tokens(100)), group("small", requests(1)), group("large", requests(10)));
		take(CALL.withModel("small"));
		LlmCall small = call(1).withModel("small");
		LlmCall large = call(1).withModel("large");
		assertThat(kinds(reserve(small, large, small, large))).containsExactly(Kind.WAIT, Kind.GRANTED, Kind.WAIT,
				Kind.GRANTED);
	}

	@Test
	void keepsNothingForAClaimThatNeverFits() {
		register(LimitPlan.of(tokens(100)));
		assertThat(kinds(reserve(call(101), call(100)))).containsExactly(Kind.NEVER_FITS, Kind.GRANTED);
	}

	@Test
	void waitsForAReleaseWhenAllSlotsAreTaken() {
		register(LimitPlan.UNLIMITED.withMaxConcurrency(1));
		Claim first = take(CALL);
		assertThat(kinds(reserve(CALL, CALL))).containsExactly(Kind.WAIT_FOR_RELEASE, Kind.WAIT_FOR_RELEASE);
		this.limits.settle(first, CallOutcome.SUCCESS, null);
		assertThat(kinds(reserve(CALL, CALL))).containsExactly(Kind.GRANTED, Kind.WAIT_FOR_RELEASE);
	}

	@Test
	void settlesSignedAndOnce() {
		register(LimitPlan.of(requests(10), tokens(100)));
		Claim claim = take(call(50));
		this.limits.settle(claim, CallOutcome.SUCCESS, new TokenUsage(20, 5));
		this.limits.settle(claim, CallOutcome.NOT_SENT, null);
		assertThat(used("default", "tokens")).isEqualTo(25);
		assertThat(used("default", "requests")).isEqualTo(1);
		Claim debt = take(call(50));
		this.limits.settle(debt, CallOutcome.SUCCESS, new TokenUsage(100, 50));
		assertThat(used("default", "tokens")).isEqualTo(175);
		assertThat(reserveOne(call(1)).kind()).isEqualTo(Kind.WAIT);
	}

	@Test
	void takesTheFirstAccountThatAllowsAClaimOfAnyAccount() {
		registerAccounts(LimitPlan.of(requests(1)), LimitPlan.of(requests(2)));
		assertThat(take(CALL).scope().account()).isEqualTo("a");
		assertThat(take(CALL).scope().account()).isEqualTo("b");
		advance(Duration.ofSeconds(30));
		assertThat(take(CALL.withAccount("b")).scope().account()).isEqualTo("b");
		Verdict verdict = reserveOne(CALL);
		assertThat(Duration.ofNanos(verdict.waitNanos())).isEqualTo(Duration.ofSeconds(30));
	}

	@Test
	void answersWhatEndsFirstInAnyAccount() {
		registerAccounts(LimitPlan.UNLIMITED.withMaxConcurrency(1), LimitPlan.of(tokens(100)));
		take(CALL.withAccount("a"));
		take(call(100).withAccount("b"));
		Verdict either = reserveOne(call(10));
		assertThat(either.kind()).isEqualTo(Kind.WAIT_FOR_RELEASE);
		assertThat(Duration.ofNanos(either.waitNanos())).isEqualTo(Duration.ofMinutes(1));
		Verdict never = reserveOne(call(101));
		assertThat(never.kind()).isEqualTo(Kind.WAIT_FOR_RELEASE);
		assertThat(never.waitNanos()).isZero();
	}

	@Test
	void keepsOfEachAccountWhatAClaimOfAnyAccountWaitsFor() {
		registerAccounts(LimitPlan.of(tokens(100)), LimitPlan.of(tokens(200)), group("small", requests(1)));
		take(call(60).withAccount("a"));
		take(call(160).withAccount("b"));
		assertThat(
				kinds(reserve(call(90), call(10).withAccount("a"), call(10).withAccount("b"), CALL.withAccount("b"))))
			.containsExactly(Kind.WAIT, Kind.WAIT, Kind.WAIT, Kind.GRANTED);
	}

	private void registerKeys() {
		registerAccounts(LimitPlan.of(requests(10)), LimitPlan.of(requests(10)));
		register(this.plan.withKeys(new KeyPool(Map.of("a1", "a", "b1", "b"), KeyPool.Selection.LEAST_WAIT, () -> 0)));
	}

	@Test
	void choosesAKeyWithTheAccount() {
		registerKeys();
		Claim first = take(CALL);
		assertThat(first.key()).isEqualTo(first.scope().account() + "1");
		assertThat(take(CALL).scope().account()).isNotEqualTo(first.scope().account());
		assertThat(take(CALL.withKey("a1")).key()).isEqualTo("a1");
		assertThat(take(CALL.withKey(LlmCall.OWN_KEY).withAccount("a")).key()).isNull();
	}

	@Test
	void takesARejectedKeyOutOfServiceUntilItIsAcceptedAgain() {
		registerKeys();
		Claim claim = take(CALL.withKey("a1"));
		ThrottleSignal rejected = ThrottleSignal.of(CallOutcome.KEY_REJECTED);
		assertThat(refuse(claim, rejected)).singleElement().satisfies((change) -> {
			assertThat(change.key()).isEqualTo("a1");
			assertThat(change.state()).isEqualTo(State.OUT_OF_SERVICE);
		});
		this.limits.settle(claim, CallOutcome.KEY_REJECTED, null);
		assertThat(reserveOne(CALL.withKey("a1")).kind()).isEqualTo(Kind.OUT_OF_SERVICE);
		assertThat(take(CALL).key()).isEqualTo("b1");
		assertThat(take(CALL).key()).isEqualTo("b1");
		advance(Duration.ofMinutes(10));
		Claim probe = claim(CALL.withKey("a1"));
		assertThat(reserve(probe)).extracting(Verdict::kind).containsExactly(Kind.PROBE);
		assertThat(this.limits.settle(probe, CallOutcome.SUCCESS, null)).extracting(LevelChange::state)
			.containsExactly(State.OPEN);
	}

	private List<LevelChange> refuse(Claim claim, ThrottleSignal signal) {
		return this.limits.refuse(claim, signal, Cooldown.NONE).stream().map(LevelChange.class::cast).toList();
	}

	@Test
	void answersWhatEndsFirstOfManyAccounts() {
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		LimitPlan one = LimitPlan.UNLIMITED.withMaxConcurrency(1);
		List.of("a", "c", "e").forEach((account) -> accounts.put(account, one));
		accounts.put("b", LimitPlan.of(requests(1)));
		accounts.put("d", LimitPlan.of(requests(1)));
		accounts.put("f", one);
		register(ProviderPlan.of("test", one).withAccounts(accounts));
		take(CALL.withAccount("d"));
		advance(Duration.ofSeconds(20));
		List.of("a", "b", "c", "e", "f").forEach((account) -> take(CALL.withAccount(account)));
		Verdict verdict = reserveOne(CALL);
		assertThat(verdict.kind()).isEqualTo(Kind.WAIT_FOR_RELEASE);
		assertThat(Duration.ofNanos(verdict.waitNanos())).isEqualTo(Duration.ofSeconds(40));
	}

	@Test
	void keepsNothingOfAnotherAccount() {
		registerAccounts(LimitPlan.of(tokens(100)), LimitPlan.of(tokens(100)));
		take(call(60).withAccount("a"));
		assertThat(kinds(reserve(call(50).withAccount("a"), call(50)))).containsExactly(Kind.WAIT, Kind.GRANTED);
	}

	@Test
	void coolsDownTheAccountOfTheRefusedCall() {
		registerAccounts(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED);
		Claim refused = take(CALL);
		this.limits.refuse(refused, ThrottleSignal.throttled(Tripped.UNKNOWN, null, "slow down"),
				Cooldown.of(Duration.ofSeconds(5)));
		assertThat(account("a").state()).isEqualTo(State.COOLING_DOWN);
		assertThat(account("b").state()).isEqualTo(State.OPEN);
		assertThat(take(CALL).scope().account()).isEqualTo("b");
		assertThat(Duration.ofNanos(reserveOne(CALL.withAccount("a")).waitNanos())).isEqualTo(Duration.ofSeconds(5));
		advance(Duration.ofSeconds(5));
		LlmCall call = CALL.withAccount("a");
		assertThat(kinds(reserve(call, call))).containsExactly(Kind.PROBE, Kind.WAIT);
	}

	@Test
	void takesALevelOutOfServiceWhoseQuotaIsUsedUp() {
		register(LimitPlan.UNLIMITED);
		Claim refused = take(CALL);
		assertThat(refuse(refused,
				new ThrottleSignal(CallOutcome.QUOTA_EXHAUSTED, Tripped.NONE, Duration.ofMinutes(5), "used up")))
			.extracting(LevelChange::state)
			.containsExactly(State.OUT_OF_SERVICE);
		this.limits.settle(refused, CallOutcome.QUOTA_EXHAUSTED, null);
		assertThat(kinds(reserve(CALL))).containsExactly(Kind.OUT_OF_SERVICE);
		advance(Duration.ofMinutes(5));
		Claim probe = claim(CALL);
		assertThat(reserve(probe)).containsExactly(Verdict.PROBE);
		assertThat(this.limits.settle(probe, CallOutcome.SUCCESS, null)).extracting(LevelChange::state)
			.containsExactly(State.OPEN);
	}

	@Test
	void countsWhatIsOnlyWatched() {
		register(LimitPlan.UNLIMITED.withMaxConcurrency(1));
		take(CALL);
		assertThat(this.limits.count(new Claim(CALL, new LimitScope("test", "default", "*"))).kind())
			.isEqualTo(Kind.WAIT_FOR_RELEASE);
		assertThat(account("default").inFlight()).isEqualTo(2);
	}

	@Test
	void lowersALevelByWhatAResponseAnnounces() {
		register(LimitPlan.of(tokens(100)));
		Claim claim = take(call(10));
		this.limits.observe(claim,
				new ObservedLimits(List.of(new Observed(Counted.TOKENS, null, 100L, 30L, Duration.ofSeconds(20)))));
		assertThat(used("default", "tokens")).isEqualTo(70);
		assertThat(reserveOne(call(40)).kind()).isEqualTo(Kind.WAIT);
		advance(Duration.ofSeconds(20));
		take(call(90));
	}

	@Test
	void decidesAtOnceOnlyAsItWouldWhenAsked() {
		register(LimitPlan.of(requests(2)));
		for (int i = 0; i < 2; i++) {
			Verdict verdict = this.limits.tryReserve(claim(CALL.withPriority(Priority.BATCH)));
			if (verdict == null) {
				take(CALL);
			}
			else {
				assertThat(verdict).isEqualTo(Verdict.GRANTED);
			}
		}
		assertThat(reserveOne(CALL).kind()).isEqualTo(Kind.WAIT);
	}

	@Test
	void keepsProvidersApart() {
		register(ProviderPlan.of("other", LimitPlan.of(requests(1))));
		take(LlmCall.to("other"));
		register(LimitPlan.of(requests(1)));
		take(CALL);
		assertThat(used("default", "requests")).isEqualTo(1);
	}

	private long used(String account, String limit) {
		return account(account).limits()
			.stream()
			.filter((candidate) -> candidate.limit().name().equals(limit))
			.findFirst()
			.orElseThrow()
			.used();
	}

}
