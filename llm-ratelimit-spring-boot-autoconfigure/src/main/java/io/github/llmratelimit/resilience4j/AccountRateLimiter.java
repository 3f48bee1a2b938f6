package io.github.llmratelimit.resilience4j;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.time.TimeSource;
import io.github.llmratelimit.time.WaitingThread;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnDrainedEvent;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnFailureEvent;
import io.github.resilience4j.ratelimiter.event.RateLimiterOnSuccessEvent;
import io.github.resilience4j.ratelimiter.internal.RateLimiterEventProcessor;
import reactor.core.publisher.Mono;

/**
 * The limits of one account, or of all accounts of one provider, as a Resilience4j rate
 * limiter. Thread-safe.
 */
final class AccountRateLimiter implements RateLimiter {

	private final String name;

	private final CallAdmission admission;

	private final LlmCall call;

	private final TimeSource time;

	private final Map<String, String> tags;

	private final AvailablePermissions available;

	private final AtomicInteger waiting = new AtomicInteger();

	private final RateLimiterEventProcessor events = new RateLimiterEventProcessor();

	private volatile RateLimiterConfig config;

	AccountRateLimiter(String name, CallAdmission admission, ProviderPlan plan, LlmCall call, TimeSource time,
			RateLimiterConfig config, Map<String, String> tags) {
		this.name = name;
		this.admission = admission;
		this.call = call;
		this.time = time;
		this.config = config;
		this.tags = tags;
		this.available = new AvailablePermissions(admission, plan, plan.scopeOf(call));
	}

	@Override
	public boolean acquirePermission(int permits) {
		LlmCall asked = call(permits, this.config.getTimeoutDuration());
		this.waiting.incrementAndGet();
		try {
			return told(await(acquire(asked)), permits);
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

	/**
	 * Reserve permissions that can be used at once. None can be promised for later: until
	 * then others, more urgent ones, may come, and the provider may refuse some.
	 * @param permits how many
	 * @return 0, or -1 if there are not as many now
	 */
	@Override
	public long reservePermission(int permits) {
		CompletableFuture<Boolean> asked = acquire(call(permits, Duration.ZERO)).toFuture();
		boolean unanswered = asked.cancel(true);
		return told(!unanswered && asked.join(), permits) ? 0 : -1;
	}

	private LlmCall call(int permits, Duration maxWait) {
		return this.call.withTokens(permits, 0).withUnits(permits).withMaxWait(maxWait);
	}

	/* Ended where it is handed over: no cancellation can lose a permit that is held. */
	private Mono<Boolean> acquire(LlmCall asked) {
		return this.admission.acquire(asked)
			.map((permit) -> permit.complete(CallOutcome.CANCELLED, null))
			.onErrorReturn(LlmRateLimitException.class, false);
	}

	private boolean await(Mono<Boolean> admitted) {
		try {
			return Objects.requireNonNull(WaitingThread.await(this.time.scheduler(), (thread) -> admitted));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

	private boolean told(boolean admitted, int permits) {
		if (this.events.hasConsumers()) {
			this.events.consumeEvent(admitted ? new RateLimiterOnSuccessEvent(this.name, permits)
					: new RateLimiterOnFailureEvent(this.name, permits));
		}
		return admitted;
	}

	/**
	 * Close what is drained for one period, for all calls to it: somebody has been told
	 * by the provider that there is nothing left. Does nothing if nothing is left anyway.
	 */
	@Override
	public void drainPermissions() {
		int permits = this.available.count();
		this.admission.acquire(call(1, Duration.ZERO))
			.doOnNext(this::close)
			.onErrorComplete(LlmRateLimitException.class)
			.subscribe();
		if (this.events.hasConsumers()) {
			this.events.consumeEvent(new RateLimiterOnDrainedEvent(this.name, permits));
		}
	}

	private void close(Permit permit) {
		permit.refuse(ThrottleSignal.throttled(Tripped.UNKNOWN, null, "drained"),
				Cooldown.of(this.config.getLimitRefreshPeriod()));
	}

	@Override
	public void changeTimeoutDuration(Duration timeout) {
		this.config = RateLimiterConfig.from(this.config).timeoutDuration(timeout).build();
	}

	/**
	 * Refused: the limits are the provider's.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	public void changeLimitForPeriod(int limit) {
		throw new UnsupportedOperationException(
				"The limits of " + this.name + " are those of llm.ratelimit.providers." + this.call.provider());
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public RateLimiterConfig getRateLimiterConfig() {
		return this.config;
	}

	@Override
	public Map<String, String> getTags() {
		return this.tags;
	}

	@Override
	public Metrics getMetrics() {
		return new Metrics() {

			@Override
			public int getNumberOfWaitingThreads() {
				return AccountRateLimiter.this.waiting.get();
			}

			@Override
			public int getAvailablePermissions() {
				return AccountRateLimiter.this.available.count();
			}

		};
	}

	@Override
	public EventPublisher getEventPublisher() {
		return this.events;
	}

	@Override
	public String toString() {
		return "AccountRateLimiter{" + this.name + "}";
	}

}
