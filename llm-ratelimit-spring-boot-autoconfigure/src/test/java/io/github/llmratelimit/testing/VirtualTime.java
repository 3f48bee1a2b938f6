package io.github.llmratelimit.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.time.TimeSource;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Time that is moved by hand: clock and scheduler in one, so that they cannot disagree.
 */
public final class VirtualTime implements TimeSource {

	private final Instant start;

	private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

	private final Set<Timer> timers = ConcurrentHashMap.newKeySet();

	private final Scheduler scheduler = new TimerScheduler();

	public VirtualTime() {
		this(Instant.parse("2026-03-01T00:00:00Z"));
	}

	public VirtualTime(Instant start) {
		this.start = start;
	}

	@Override
	public long nanoTime() {
		return this.clock.now(TimeUnit.NANOSECONDS);
	}

	@Override
	public Instant now() {
		return this.start.plusNanos(nanoTime());
	}

	@Override
	public Scheduler scheduler() {
		return this.scheduler;
	}

	/**
	 * Let time pass; whatever is due meanwhile runs on this thread, at its own moment.
	 * @param duration how much time passes
	 */
	public void advance(Duration duration) {
		this.clock.advanceTimeBy(duration);
	}

	/**
	 * How many timers are running.
	 * @return the number of timers that were neither run nor disposed
	 */
	public int timers() {
		return this.timers.size();
	}

	private final class TimerScheduler implements Scheduler {

		@Override
		public Disposable schedule(Runnable task) {
			return VirtualTime.this.clock.schedule(task);
		}

		@Override
		public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
			Timer timer = new Timer(task);
			timer.start(delay, unit);
			return timer;
		}

		@Override
		public Worker createWorker() {
			return VirtualTime.this.clock.createWorker();
		}

		@Override
		public long now(TimeUnit unit) {
			return VirtualTime.this.clock.now(unit);
		}

	}

	private final class Timer implements Runnable, Disposable {

		private final Runnable task;

		private final Disposable.Swap scheduled = Disposables.swap();

		Timer(Runnable task) {
			this.task = task;
		}

		void start(long delay, TimeUnit unit) {
			VirtualTime.this.timers.add(this);
			this.scheduled.update(VirtualTime.this.clock.schedule(this, delay, unit));
		}

		@Override
		public void run() {
			VirtualTime.this.timers.remove(this);
			this.task.run();
		}

		@Override
		public void dispose() {
			VirtualTime.this.timers.remove(this);
			this.scheduled.dispose();
		}

		@Override
		public boolean isDisposed() {
			return !VirtualTime.this.timers.contains(this);
		}

	}

}
