package io.github.llmratelimit.metrics;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LimitSnapshot.Source;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.time.TimeSource;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link CallMeters} and {@link LevelGauges}.
 */
class RateLimitMetersTests {

	private static final Limit LIMIT = Limit.of("requests-per-minute", Counted.REQUESTS, 100, Duration.ofMinutes(1),
			LimitAlgorithm.SLIDING_WINDOW);

	private static final ProviderPlan PLAN = ProviderPlan.of("acme", LimitPlan.of(LIMIT),
			new ModelGroup("small", List.of("mini*"), LimitPlan.UNLIMITED));

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final CallMeters meters = new CallMeters(this.registry, List.of(PLAN));

	private final LlmRateLimiter limiter = mock();

	private final AtomicLong now = new AtomicLong();

	@Test
	void countsOutcomes() {
		Permit permit = permit("small");
		this.meters.onCompleted(permit, CallOutcome.SUCCESS, null);
		this.meters.onCompleted(permit, CallOutcome.SUCCESS, null);
		this.meters.onCompleted(permit, CallOutcome.NOT_SENT, null);
		assertThat(count("calls", "outcome", "success")).isEqualTo(2);
		assertThat(count("calls", "outcome", "not-sent")).isEqualTo(1);
		assertThat(tagsOf("llm.ratelimit.calls")).contains(Tag.of("provider", "acme"), Tag.of("account", "default"),
				Tag.of("model", "small"));
	}

	@Test
	void countsRejectedCallsByModelGroup() {
		this.meters.onRejected(LlmCall.to("acme").withModel("mini-42"), rejected(Reason.QUEUE_FULL));
		this.meters.onRejected(LlmCall.to("acme").withModel("mini-43"), rejected(Reason.QUEUE_FULL));
		this.meters.onRejected(LlmCall.to("acme").withModel("anything"), rejected(Reason.WAIT_TOO_LONG));
		assertThat(this.registry.get("llm.ratelimit.calls").tags("outcome", "queue-full", "model", "small").counter())
			.extracting(Counter::count)
			.isEqualTo(2.0);
		assertThat(count("calls", "outcome", "wait-too-long")).isEqualTo(1);
		assertThat(this.registry.find("llm.ratelimit.calls").meters())
			.flatExtracting((meter) -> meter.getId().getTags())
			.filteredOn((tag) -> tag.getKey().equals("model"))
			.extracting(Tag::getValue)
			.containsExactlyInAnyOrder("small", "*");
	}

	@Test
	void countsFallbacksByReason() {
		this.meters.onFallback(LlmCall.to("acme").withModel("mini-42"), rejected(Reason.PAUSED));
		assertThat(count("fallbacks", "reason", "paused")).isEqualTo(1);
		assertThat(tagsOf("llm.ratelimit.fallbacks")).contains(Tag.of("provider", "acme"), Tag.of("model", "small"));
	}

	@Test
	void timesWait() {
		this.meters.onAdmitted(permit("*"));
		Timer timer = this.registry.get("llm.ratelimit.wait").tag("priority", "normal").timer();
		assertThat(timer.count()).isEqualTo(1);
		assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(250);
	}

	@Test
	void countsRefusalsByWhatTheyHit() {
		Permit permit = permit("*");
		this.meters.onThrottled(permit, ThrottleSignal.throttled(Tripped.INPUT_TOKENS, null, "any text"),
				Duration.ofSeconds(1));
		this.meters.onThrottled(permit, ThrottleSignal.of(CallOutcome.OVERLOADED), Duration.ofSeconds(1));
		assertThat(count("throttled", "cause", "input-tokens")).isEqualTo(1);
		assertThat(count("throttled", "cause", "overloaded")).isEqualTo(1);
	}

	@Test
	void countsRetries() {
		this.meters.onRetry(permit("*"), 2, Duration.ZERO);
		assertThat(this.registry.get("llm.ratelimit.retries").counter().count()).isEqualTo(1);
	}

	@Test
	void comparesTokensWithEstimate() {
		Permit permit = permit("*");
		this.meters.onCompleted(permit, CallOutcome.SUCCESS, new TokenUsage(100, 50));
		this.meters.onCompleted(permit, CallOutcome.SUCCESS, null);
		this.meters.onCompleted(permit, CallOutcome.NOT_SENT, null);
		assertThat(count("tokens", "kind", "estimated")).isEqualTo(200);
		assertThat(count("tokens", "kind", "used")).isEqualTo(150);
		assertThat(this.registry.get("llm.ratelimit.estimate.error").summary().count()).isEqualTo(1);
		assertThat(this.registry.get("llm.ratelimit.estimate.error").summary().max()).isEqualTo(1.5);
	}

	@Test
	void showsLevels() {
		given(this.limiter.snapshot()).willReturn(Flux.just(snapshot(30)));
		bindGauges();
		assertThat(gauge("limit.utilization", "limit", "requests-per-minute")).isEqualTo(0.3);
		assertThat(gauge("limit.remaining", "limit", "requests-per-minute")).isEqualTo(70);
		assertThat(gauge("queue.size", "priority", "batch")).isEqualTo(4);
		assertThat(gauge("queue.size", "priority", "interactive")).isZero();
		assertThat(gauge("in.flight", "model", "*")).isEqualTo(3);
		assertThat(gauge("in.flight", "model", "small")).isEqualTo(1);
		assertThat(gauge("cooldown", "model", "*")).isEqualTo(1.5);
		assertThat(gauge("cooldown", "model", "small")).isZero();
	}

	@Test
	void readsStateOncePerScrape() {
		given(this.limiter.snapshot()).willReturn(Flux.just(snapshot(30))).willReturn(Flux.just(snapshot(40)));
		bindGauges();
		this.registry.getMeters().forEach((meter) -> meter.measure().forEach((measurement) -> measurement.getValue()));
		verify(this.limiter, times(1)).snapshot();
		this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(gauge("limit.remaining", "limit", "requests-per-minute")).isEqualTo(60);
	}

	@Test
	void showsLastKnownStateWhileNoNewOneIsKnown() {
		given(this.limiter.snapshot()).willReturn(Flux.just(snapshot(30)))
			.willReturn(Flux.never())
			.willReturn(Flux.error(new IllegalStateException("store is away")));
		bindGauges();
		for (int i = 0; i < 3; i++) {
			assertThat(gauge("limit.remaining", "limit", "requests-per-minute")).isEqualTo(70);
			this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		}
	}

	@Test
	void showsNothingBeforeAnyStateIsKnown() {
		given(this.limiter.snapshot()).willReturn(Flux.never());
		bindGauges();
		assertThat(gauge("limit.remaining", "limit", "requests-per-minute")).isNaN();
		assertThat(gauge("queue.size", "priority", "batch")).isNaN();
	}

	@Test
	void registersWhatIsDocumented() {
		given(this.limiter.snapshot()).willReturn(Flux.just(snapshot(0)));
		bindGauges();
		Permit permit = permit("small");
		this.meters.onAdmitted(permit);
		this.meters.onCompleted(permit, CallOutcome.SUCCESS, new TokenUsage(1, 1));
		this.meters.onThrottled(permit, ThrottleSignal.of(CallOutcome.OVERLOADED), Duration.ZERO);
		this.meters.onFallback(LlmCall.to("acme"), rejected(Reason.PAUSED));
		for (RateLimitMeters documented : RateLimitMeters.values()) {
			Meter meter = this.registry.get(documented.getName()).meters().iterator().next();
			assertThat(meter.getId().getType()).isEqualTo(documented.getType());
			if (documented.getType() != Meter.Type.TIMER) {
				assertThat(meter.getId().getBaseUnit()).isEqualTo(documented.getBaseUnit());
			}
			assertThat(meter.getId().getTags()).extracting(Tag::getKey)
				.containsExactlyInAnyOrderElementsOf(
						Arrays.stream(documented.getKeyNames()).map(KeyName::asString).toList());
		}
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.isSubsetOf(Arrays.stream(RateLimitMeters.values()).map(RateLimitMeters::getName).toList());
	}

	@Test
	void showsALevelUntilItIsEvicted() {
		LevelGauges gauges = bindGauges();
		int before = this.registry.getMeters().size();
		gauges.onAdmitted(permit("new"));
		gauges.onLimitLearned(learned("new"));
		assertThat(this.registry.getMeters()).hasSize(before + 4);
		gauges.onLevelEvicted(evicted("new"));
		assertThat(this.registry.getMeters()).hasSize(before);
		gauges.onAdmitted(permit("new"));
		gauges.onLimitLearned(learned("new"));
		assertThat(this.registry.getMeters()).hasSize(before + 4);
	}

	@Test
	void showsALevelWhoseReturnIsToldBeforeItsEviction() {
		LevelGauges gauges = bindGauges();
		gauges.onLimitLearned(learned("new"));
		int before = this.registry.getMeters().size();
		gauges.onLimitLearned(learned("new"));
		gauges.onLevelEvicted(evicted("new"));
		assertThat(this.registry.getMeters()).hasSize(before);
	}

	@Test
	void showsNothingOfAnEvictedLevelInAnotherRegistry() {
		LevelGauges gauges = bindGauges();
		gauges.onLimitLearned(learned("new"));
		gauges.onLevelEvicted(evicted("new"));
		SimpleMeterRegistry other = new SimpleMeterRegistry();
		gauges.bindTo(other);
		assertThat(other.getMeters()).hasSameSizeAs(this.registry.getMeters());
	}

	@Test
	void countsUntilTheLevelIsEvicted() {
		this.meters.onAdmitted(permit("small"));
		int before = this.registry.getMeters().size();
		Permit permit = permit("new");
		this.meters.onAdmitted(permit);
		this.meters.onCompleted(permit, CallOutcome.SUCCESS, null);
		this.meters.onThrottled(permit, ThrottleSignal.of(CallOutcome.OVERLOADED), Duration.ZERO);
		this.meters.onLevelEvicted(evicted("new"));
		this.meters.onLevelEvicted(evicted("unknown"));
		assertThat(this.registry.getMeters()).hasSize(before);
		this.meters.onAdmitted(permit);
		assertThat(this.registry.get("llm.ratelimit.wait").tag("model", "new").timer().count()).isEqualTo(1);
	}

	private static LearnedLimit learned(String model) {
		return new LearnedLimit(new LimitScope("acme", "default", model), LIMIT);
	}

	private static EvictedLevel evicted(String model) {
		return new EvictedLevel(new LimitScope("acme", "default", model), List.of(LIMIT));
	}

	private LevelGauges bindGauges() {
		TimeSource time = mock();
		given(time.nanoTime()).willAnswer((invocation) -> this.now.get());
		LevelGauges gauges = new LevelGauges(List.of(PLAN), () -> this.limiter, time);
		gauges.bindTo(this.registry);
		return gauges;
	}

	private static ProviderSnapshot snapshot(long used) {
		LevelSnapshot small = new LevelSnapshot(State.OPEN, null, null, 0, 1, null, Map.of(), List.of(), Map.of());
		LevelSnapshot account = new LevelSnapshot(State.COOLING_DOWN, "why", Duration.ofMillis(1500), 1, 3, null,
				Map.of(), List.of(new LimitSnapshot(LIMIT, 100, used, Source.CONFIGURED)), Map.of("small", small));
		return new ProviderSnapshot("acme", Map.of(Priority.BATCH, 4), Map.of("default", account));
	}

	private static Permit permit(String modelGroup) {
		Permit permit = mock();
		given(permit.scope()).willReturn(new LimitScope("acme", "default", modelGroup));
		given(permit.call()).willReturn(LlmCall.to("acme").withTokens(80, 20));
		given(permit.waited()).willReturn(Duration.ofMillis(250));
		return permit;
	}

	private static LlmRateLimitException rejected(Reason reason) {
		return new LlmRateLimitException(reason, "acme", "no", null, 0);
	}

	private double count(String name, String tag, String value) {
		return this.registry.get("llm.ratelimit." + name).tag(tag, value).counter().count();
	}

	private double gauge(String name, String tag, String value) {
		return this.registry.get("llm.ratelimit." + name).tag(tag, value).gauge().value();
	}

	private List<Tag> tagsOf(String name) {
		return this.registry.get(name).meter().getId().getTags();
	}

}
