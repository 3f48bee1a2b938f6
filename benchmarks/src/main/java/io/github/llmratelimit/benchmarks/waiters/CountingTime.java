package io.github.llmratelimit.benchmarks.waiters;

import java.time.Instant;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import io.github.llmratelimit.time.TimeSource;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The clocks of this machine, and a scheduler of one thread whose timers can be counted.
 * Thread-safe.
 */
final class CountingTime implements TimeSource {

	private final TimeSource system = TimeSource.system();

	private final ScheduledThreadPoolExecutor executor = executor();

	private final Scheduler scheduler = Schedulers.fromExecutorService(this.executor);

	private static ScheduledThreadPoolExecutor executor() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "waiters");
			thread.setDaemon(true);
			return thread;
		});
		executor.setRemoveOnCancelPolicy(true);
		return executor;
	}

	@Override
	public long nanoTime() {
		return this.system.nanoTime();
	}

	@Override
	public Instant now() {
		return this.system.now();
	}

	@Override
	public Scheduler scheduler() {
		return this.scheduler;
	}

	int timers() {
		return this.executor.getQueue().size();
	}

}
