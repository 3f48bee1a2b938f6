package io.github.llmratelimit.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmRateLimitException.Reason;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.metrics.RateLimitMeters.Tag;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one scope, each looked up in the registry once. Thread-safe.
 */
final class ScopeMeters {

	private final MeterRegistry registry;

	private final Tags tags;

	private final Map<Enum<?>, Counter> calls = new ConcurrentHashMap<>();

	private final Map<Enum<?>, Counter> throttled = new ConcurrentHashMap<>();

	private final Map<Reason, Counter> fallbacks = new ConcurrentHashMap<>();

	private final Map<Priority, Timer> wait = new ConcurrentHashMap<>();

	private final Counter retries;

	private final Counter estimated;

	private final Counter used;

	private final DistributionSummary estimateError;

	ScopeMeters(MeterRegistry registry, LimitScope scope) {
		this.registry = registry;
		this.tags = tagsOf(scope);
		this.retries = counter(RateLimitMeters.RETRIES, this.tags);
		this.estimated = counter(RateLimitMeters.TOKENS, this.tags.and(Tag.KIND.asString(), "estimated"));
		this.used = counter(RateLimitMeters.TOKENS, this.tags.and(Tag.KIND.asString(), "used"));
		this.estimateError = DistributionSummary.builder(RateLimitMeters.ESTIMATE_ERROR.getName())
			.tags(this.tags)
			.register(registry);
	}

	static Tags tagsOf(LimitScope scope) {
		return tagsOf(scope.provider(), scope.account(), scope.modelGroup());
	}

	static Tags tagsOf(String provider, String account, String model) {
		return Tags.of(Tag.PROVIDER.asString(), provider, Tag.ACCOUNT.asString(), account, Tag.MODEL.asString(), model);
	}

	void admitted(Permit permit) {
		this.wait.computeIfAbsent(permit.call().priority(), this::waitTimer).record(permit.waited());
	}

	void rejected(Reason reason) {
		countCall(reason);
	}

	void completed(TokenEstimate estimate, CallOutcome outcome, @Nullable TokenUsage usage) {
		countCall(outcome);
		if (outcome.keepsRequest()) {
			this.estimated.increment(estimate.total());
		}
		if (usage != null) {
			this.used.increment(usage.total());
			compare(estimate.total(), usage.total());
		}
	}

	void throttled(ThrottleSignal signal) {
		Enum<?> cause = (signal.tripped() != Tripped.NONE) ? signal.tripped() : signal.outcome();
		this.throttled.computeIfAbsent(cause, (added) -> counter(RateLimitMeters.THROTTLED, Tag.CAUSE, added))
			.increment();
	}

	void retried() {
		this.retries.increment();
	}

	void fellBack(Reason reason) {
		this.fallbacks.computeIfAbsent(reason, (added) -> counter(RateLimitMeters.FALLBACKS, Tag.REASON, added))
			.increment();
	}

	/** Take them out of the registry. */
	void remove() {
		Stream
			.of(this.calls.values(), this.throttled.values(), this.fallbacks.values(), this.wait.values(),
					List.of(this.retries, this.estimated, this.used, this.estimateError))
			.flatMap(Collection::stream)
			.forEach(this.registry::remove);
	}

	private void countCall(Enum<?> outcome) {
		this.calls.computeIfAbsent(outcome, (added) -> counter(RateLimitMeters.CALLS, Tag.OUTCOME, added)).increment();
	}

	private void compare(long estimated, long used) {
		if (estimated > 0 && used > 0) {
			this.estimateError.record((double) used / estimated);
		}
	}

	private Counter counter(RateLimitMeters meter, Tag tag, Enum<?> value) {
		return counter(meter, this.tags.and(tag.asString(), Labels.of(value)));
	}

	private Counter counter(RateLimitMeters meter, Tags tags) {
		return Counter.builder(meter.getName()).baseUnit(meter.getBaseUnit()).tags(tags).register(this.registry);
	}

	private Timer waitTimer(Priority priority) {
		return Timer.builder(RateLimitMeters.WAIT.getName())
			.tags(this.tags.and(Tag.PRIORITY.asString(), Labels.of(priority)))
			.register(this.registry);
	}

}
