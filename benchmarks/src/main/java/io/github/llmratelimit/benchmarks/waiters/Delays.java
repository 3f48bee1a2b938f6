package io.github.llmratelimit.benchmarks.waiters;

import java.time.Duration;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * One {@code Mono.delay} for each call, computed beforehand.
 */
final class Delays implements Contender {

	private final long from = System.nanoTime();

	private final long beginNanos;

	private final double stepNanos;

	private int waiting;

	Delays(int waiters, Duration begin, Duration within) {
		this.beginNanos = begin.toNanos();
		this.stepNanos = (double) within.toNanos() / waiters;
	}

	@Override
	public Disposable wait(Runnable woken) {
		long due = this.from + this.beginNanos + (long) (this.stepNanos * this.waiting++);
		return Mono.delay(Duration.ofNanos(due - System.nanoTime())).subscribe((tick) -> woken.run());
	}

	@Override
	public int timers() {
		return this.waiting;
	}

}
