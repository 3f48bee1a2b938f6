package io.github.llmratelimit.simulator;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A limit on the tokens spent within any minute. Not thread-safe. Tokens spent at
 * {@code t} count until just before {@code t + minute}.
 */
final class TokenWindow implements TokenLimit {

	private final long minuteNanos;

	private final Deque<Charge> charges = new ArrayDeque<>();

	private long limit;

	TokenWindow(long limit, long minuteNanos) {
		this.limit = limit;
		this.minuteNanos = minuteNanos;
	}

	@Override
	public long limit() {
		return this.limit;
	}

	@Override
	public void changeLimit(long limit, long now) {
		this.limit = limit;
	}

	@Override
	public long used(long now) {
		this.charges.removeIf((charge) -> now - charge.at >= this.minuteNanos);
		return this.charges.stream().mapToLong((charge) -> charge.tokens).sum();
	}

	@Override
	public long waitNanos(long tokens, long now) {
		long tooMany = used(now) + tokens - this.limit;
		long wait = 0;
		for (Charge oldest : this.charges) {
			if (tooMany <= 0) {
				break;
			}
			tooMany -= oldest.tokens;
			wait = untilGone(oldest, now);
		}
		return wait;
	}

	@Override
	public long resetNanos(long now) {
		Charge last = this.charges.peekLast();
		return (last != null) ? Math.max(0, untilGone(last, now)) : 0;
	}

	@Override
	public Charge take(long tokens, long now) {
		Charge charge = new Charge(tokens, now);
		this.charges.addLast(charge);
		return charge;
	}

	@Override
	public void settle(Charge charge, long tokens, long now) {
		charge.tokens = tokens;
	}

	private long untilGone(Charge charge, long now) {
		return charge.at + this.minuteNanos - now;
	}

}
