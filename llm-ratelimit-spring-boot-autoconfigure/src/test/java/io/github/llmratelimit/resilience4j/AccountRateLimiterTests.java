package io.github.llmratelimit.resilience4j;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.resilience4j.micrometer.tagged.TaggedRateLimiterMetrics;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.reactor.ratelimiter.operator.RateLimiterOperator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AccountRateLimiters} and what they put into a registry.
 */
@Timeout(60)
class AccountRateLimiterTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final VirtualTime time = new VirtualTime();

	private final RateLimiterRegistry registry = RateLimiterRegistry.ofDefaults();

	private AdmissionController limiter = register(plan(10, 1000));

	private AdmissionController register(ProviderPlan plan) {
		AdmissionController limiter = new AdmissionController(List.of(plan), new LocalLimitStore(this.time), this.time,
				List.of());
		new AccountRateLimiters(limiter, List.of(plan), this.time).registerIn(this.registry);
		return limiter;
	}

	private static ProviderPlan plan(int requests, int tokens) {
		return ProviderPlan.of("openai", LimitPlan.of(limit("requests-per-minute", Counted.REQUESTS, requests),
				limit("tokens-per-minute", Counted.TOKENS, tokens)))
			.withLearning(null);
	}

	private static Limit limit(String name, Counted counts, int amount) {
		return Limit.of(name, counts, amount, MINUTE, LimitAlgorithm.SLIDING_WINDOW);
	}

	private RateLimiter openai() {
		return this.registry.rateLimiter("openai");
	}

	@Test
	void anAcquisitionIsOneRequestOfAsManyTokens() {
		assertThat(openai().acquirePermission(400)).isTrue();
		assertUsed(1, 400);
	}

	@Test
	void takesFromTheSameLimitsAsAllOtherCalls() {
		Permit permit = this.limiter.acquire(LlmCall.to("openai").withTokens(900, 0)).block();
		assertThat(openai().reservePermission(101)).isEqualTo(-1);
		assertThat(openai().reservePermission(100)).isZero();
		permit.complete(CallOutcome.NOT_SENT, null);
		assertUsed(1, 100);
	}

	@Test
	void whatCannotGoNowTakesNothing() {
		assertThat(openai().reservePermission(600)).isZero();
		assertThat(openai().reservePermission(600)).isEqualTo(-1);
		assertUsed(1, 600);
		assertThat(this.time.timers()).isZero();
	}

	@Test
	void waitsInLine() throws Exception {
		openai().changeTimeoutDuration(Duration.ofMinutes(2));
		assertThat(openai().acquirePermission(1000)).isTrue();
		FutureTask<Boolean> parked = parked(() -> openai().acquirePermission(10));
		assertThat(openai().getMetrics().getNumberOfWaitingThreads()).isEqualTo(1);
		assertThat(openai().reservePermission()).as("others wait already").isEqualTo(-1);
		this.time.advance(MINUTE);
		assertThat(parked.get()).isTrue();
		assertThat(openai().getMetrics().getNumberOfWaitingThreads()).isZero();
		assertUsed(1, 10);
	}

	@Test
	void waitsNoLongerThanItsTimeout() {
		openai().changeTimeoutDuration(TIMEOUT);
		assertThat(openai().acquirePermission(1000)).isTrue();
		assertThat(openai().acquirePermission(10)).isFalse();
		assertThat(openai().getRateLimiterConfig().getTimeoutDuration()).isEqualTo(TIMEOUT);
	}

	@Test
	void anInterruptEndsTheWaitAndLeavesNoTrace() throws Exception {
		assertThat(openai().acquirePermission(1000)).isTrue();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			boolean admitted = openai().acquirePermission(10);
			interrupted.complete(!admitted && Thread.currentThread().isInterrupted());
		});
		thread.start();
		awaitTimer();
		thread.interrupt();
		assertThat(interrupted.get()).isTrue();
		this.time.advance(MINUTE);
		assertUsed(0, 0);
	}

	@Test
	void holdsNoPlaceAmongCallsInFlight() {
		this.limiter = register(ProviderPlan.of("openai", LimitPlan.of().withMaxConcurrency(1)));
		assertThat(openai().acquirePermission()).isTrue();
		assertThat(openai().acquirePermission()).isTrue();
		assertThat(account("default").inFlight()).isZero();
	}

	@Test
	void drainingClosesTheAccountForAPeriod() {
		openai().drainPermissions();
		assertThat(openai().getMetrics().getAvailablePermissions()).isZero();
		StepVerifier.create(this.limiter.acquire(LlmCall.to("openai").withMaxWait(Duration.ZERO)))
			.expectError()
			.verify(TIMEOUT);
		this.time.advance(MINUTE);
		assertThat(openai().acquirePermission()).isTrue();
	}

	@Test
	void drainsWhenTheConfiguredConditionSaysSo() {
		RateLimiterRegistry own = RateLimiterRegistry.of(RateLimiterConfig.custom()
			.drainPermissionsOnResult((result) -> result.isLeft() && result.getLeft() instanceof IllegalStateException)
			.build());
		new AccountRateLimiters(this.limiter, List.of(plan(10, 1000)), this.time).registerIn(own);
		RateLimiter limiter = own.rateLimiter("openai");
		limiter.onError(new IllegalArgumentException());
		assertThat(limiter.getMetrics().getAvailablePermissions()).isEqualTo(1000);
		limiter.onError(new IllegalStateException());
		assertThat(limiter.getMetrics().getAvailablePermissions()).isZero();
	}

	@Test
	void publishesEvents() {
		List<String> events = new ArrayList<>();
		openai().getEventPublisher()
			.onEvent((event) -> events.add(event.getEventType() + " " + event.getNumberOfPermits()));
		openai().reservePermission(600);
		openai().reservePermission(601);
		openai().drainPermissions();
		assertThat(events).containsExactly("SUCCESSFUL_ACQUIRE 600", "FAILED_ACQUIRE 601", "DRAINED 400");
	}

	@Test
	void limitsReactorsCalls() {
		Mono<String> call = Mono.just("answer");
		StepVerifier.create(call.transformDeferred(RateLimiterOperator.of(openai(), 600)))
			.expectNext("answer")
			.expectComplete()
			.verify(TIMEOUT);
		StepVerifier.create(call.transformDeferred(RateLimiterOperator.of(openai(), 600)))
			.expectError(RequestNotPermitted.class)
			.verify(TIMEOUT);
		assertUsed(1, 600);
	}

	@Test
	void decoratesSuppliers() {
		openai().changeTimeoutDuration(TIMEOUT);
		assertThat(openai().executeSupplier(1000, () -> "answer")).isEqualTo("answer");
		assertThatExceptionOfType(RequestNotPermitted.class)
			.isThrownBy(() -> openai().executeSupplier(1, () -> "answer"));
	}

	@Test
	void metersReadOurLevels() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		TaggedRateLimiterMetrics.ofRateLimiterRegistry(this.registry).bindTo(meters);
		openai().acquirePermission(250);
		assertThat(meters.get("resilience4j.ratelimiter.available.permissions").tag("name", "openai").gauge().value())
			.isEqualTo(750);
		assertThat(meters.get("resilience4j.ratelimiter.waiting_threads").tag("name", "openai").gauge().value())
			.isZero();
	}

	@Test
	void availablePermissionsAreWhatOneRequestCouldTake() {
		this.limiter = register(plan(1, 1000));
		assertThat(openai().getMetrics().getAvailablePermissions()).isEqualTo(1000);
		openai().acquirePermission(10);
		assertThat(openai().getMetrics().getAvailablePermissions()).as("no request is left").isZero();
		this.limiter = register(
				ProviderPlan.of("openai", LimitPlan.of(limit("requests-per-minute", Counted.REQUESTS, 7))));
		assertThat(openai().getMetrics().getAvailablePermissions()).isEqualTo(7);
	}

	@Test
	void takesThePlaceOfAnEntryAndItsTimeoutTagsAndMeters() {
		RateLimiterRegistry own = RateLimiterRegistry.of(RateLimiterConfig.ofDefaults());
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		TaggedRateLimiterMetrics.ofRateLimiterRegistry(own).bindTo(meters);
		own.rateLimiter("openai", RateLimiterConfig.custom().timeoutDuration(TIMEOUT).limitForPeriod(3).build(),
				Map.of("team", "search"));
		List<RateLimiter> replaced = new ArrayList<>();
		own.getEventPublisher().onEntryReplaced((event) -> replaced.add(event.getNewEntry()));
		new AccountRateLimiters(this.limiter, List.of(plan(10, 1000)), this.time).registerIn(own);
		RateLimiter limiter = own.rateLimiter("openai");
		assertThat(replaced).containsExactly(limiter);
		assertThat(limiter.getRateLimiterConfig().getTimeoutDuration()).isEqualTo(TIMEOUT);
		assertThat(limiter.getRateLimiterConfig().getLimitForPeriod()).isEqualTo(10);
		assertThat(limiter.getTags()).containsEntry("team", "search");
		assertThat(meters.get("resilience4j.ratelimiter.available.permissions").tag("team", "search").gauge().value())
			.isEqualTo(1000);
	}

	@Test
	void limitsAreNotChangedThroughIt() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> openai().changeLimitForPeriod(5))
			.withMessageContaining("llm.ratelimit.providers.openai");
	}

	@Test
	void everyAccountOfSeveralHasOne() {
		Map<String, LimitPlan> accounts = new LinkedHashMap<>();
		accounts.put("a", LimitPlan.of(limit("requests-per-minute", Counted.REQUESTS, 1)));
		accounts.put("b", LimitPlan.of(limit("requests-per-minute", Counted.REQUESTS, 2)));
		this.limiter = register(plan(1, 1).withAccounts(accounts));
		assertThat(this.registry.rateLimiter("openai/b").reservePermission()).isZero();
		assertThat(this.registry.rateLimiter("openai/b").reservePermission()).isZero();
		assertThat(this.registry.rateLimiter("openai/b").reservePermission()).isEqualTo(-1);
		assertThat(openai().reservePermission()).as("any account will do").isZero();
		assertThat(this.registry.rateLimiter("openai/a").reservePermission()).isEqualTo(-1);
	}

	private void assertUsed(long requests, long tokens) {
		assertThat(account("default").limits()).extracting("used").containsExactly(requests, tokens);
	}

	private LevelSnapshot account(String name) {
		return this.limiter.snapshot().blockFirst().accounts().get(name);
	}

	private FutureTask<Boolean> parked(Callable<Boolean> acquisition) {
		FutureTask<Boolean> task = new FutureTask<>(acquisition);
		new Thread(task).start();
		awaitTimer();
		return task;
	}

	private void awaitTimer() {
		while (this.time.timers() == 0) {
			Thread.onSpinWait();
		}
	}

}
