package io.github.llmratelimit.benchmarks.waiters;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.llmratelimit.benchmarks.waiters.Contender.Factory;
import reactor.core.Disposable;
import reactor.core.Exceptions;

/**
 * Many calls that wait, and what they cost.
 *
 * @param bytes bytes of each while all wait, its subscriber included
 * @param timers timers pending while all wait
 * @param wakeNanos CPU time to wake each, from the first to the last
 */
record Crowd(double bytes, int timers, double wakeNanos) {

	private static final Duration TOO_LONG = Duration.ofMinutes(5);

	/**
	 * Let calls wait and go.
	 * @param factory what they wait for
	 * @param waiters how many
	 * @return what they cost
	 */
	static Crowd of(Factory factory, int waiters) throws InterruptedException {
		Disposable[] waiting = new Disposable[waiters];
		CountDownLatch left = new CountDownLatch(waiters);
		AtomicLong cpuAtFirst = new AtomicLong();
		Runnable woken = () -> {
			if (cpuAtFirst.get() == 0) {
				cpuAtFirst.compareAndSet(0, Usage.cpuNanos());
			}
			left.countDown();
		};
		long before = Usage.heap();
		Contender contender = factory.create(waiters, begin(waiters), within(waiters));
		for (int i = 0; i < waiters; i++) {
			waiting[i] = contender.wait(woken);
		}
		double bytes = (double) (Usage.heap() - before) / waiters;
		Reference.reachabilityFence(waiting);
		int timers = contender.timers();
		if (!left.await(TOO_LONG.toSeconds(), TimeUnit.SECONDS)) {
			throw new IllegalStateException(left.getCount() + " calls were not woken");
		}
		return new Crowd(bytes, timers, (double) (Usage.cpuNanos() - cpuAtFirst.get()) / waiters);
	}

	/**
	 * Let calls wait, and cancel them.
	 * @return bytes that each leaves behind
	 */
	static double cancelled(Factory factory, int waiters) {
		List<Disposable> waiting = new ArrayList<>(waiters);
		long before = Usage.heap();
		Contender contender = factory.create(waiters, TOO_LONG, within(waiters));
		for (int i = 0; i < waiters; i++) {
			waiting.add(contender.wait(() -> {
			}));
		}
		waiting.forEach(Crowd::cancel);
		waiting.clear();
		double bytes = (double) (Usage.heap() - before) / waiters;
		Reference.reachabilityFence(contender);
		return bytes;
	}

	/*
	 * That of Resilience4j fails, because nobody has told the subscriber to what it has
	 * subscribed.
	 */
	private static void cancel(Disposable waiter) {
		try {
			waiter.dispose();
		}
		catch (RuntimeException ex) {
			Exceptions.throwIfFatal(ex);
		}
	}

	private static Duration begin(int waiters) {
		return Duration.ofSeconds(5).plus(Duration.ofNanos(20_000L * waiters));
	}

	private static Duration within(int waiters) {
		return Duration.ofSeconds((waiters >= 1_000_000) ? 10 : 5);
	}

}
