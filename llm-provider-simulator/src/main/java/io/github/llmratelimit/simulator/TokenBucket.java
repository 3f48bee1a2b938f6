package io.github.llmratelimit.simulator;

/**
 * A bucket that holds one minute's tokens and refills continuously. Not thread-safe. It
 * counts in tokens × nanoseconds of a minute, so that a nanosecond refills a whole number
 * and no wait is ever rounded.
 */
final class TokenBucket implements TokenLimit {

	private final long minuteNanos;

	private long limit;

	private long level;

	private long updatedAt;

	TokenBucket(long limit, long minuteNanos, long now) {
		this.minuteNanos = minuteNanos;
		this.limit = limit;
		this.level = full();
		this.updatedAt = now;
	}

	@Override
	public long limit() {
		return this.limit;
	}

	@Override
	public void changeLimit(long limit, long now) {
		refill(now);
		this.limit = limit;
		this.level = Math.min(this.level, full());
	}

	@Override
	public long used(long now) {
		refill(now);
		return this.limit - Math.floorDiv(this.level, this.minuteNanos);
	}

	@Override
	public long waitNanos(long tokens, long now) {
		refill(now);
		return timeToRefill(tokens * this.minuteNanos - this.level);
	}

	@Override
	public long resetNanos(long now) {
		refill(now);
		return timeToRefill(full() - this.level);
	}

	@Override
	public Charge take(long tokens, long now) {
		refill(now);
		this.level -= tokens * this.minuteNanos;
		return new Charge(tokens, now);
	}

	@Override
	public void settle(Charge charge, long tokens, long now) {
		refill(now);
		this.level = Math.min(full(), this.level + (charge.tokens - tokens) * this.minuteNanos);
		charge.tokens = tokens;
	}

	private long full() {
		return this.limit * this.minuteNanos;
	}

	// Compares times rather than levels: a long pause times the rate would overflow.
	private void refill(long now) {
		long elapsed = now - this.updatedAt;
		boolean filled = elapsed >= timeToRefill(full() - this.level);
		this.level = filled ? full() : this.level + elapsed * this.limit;
		this.updatedAt = now;
	}

	private long timeToRefill(long missing) {
		return (missing > 0) ? (missing - 1) / this.limit + 1 : 0;
	}

}
