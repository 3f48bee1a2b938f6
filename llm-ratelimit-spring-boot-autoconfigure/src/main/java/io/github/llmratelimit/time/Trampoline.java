package io.github.llmratelimit.time;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * Runs what a task causes on the same thread after it, not inside it: a thousand calls
 * that end at once do not nest a thousand times. Thread-safe; each thread has its own.
 */
public final class Trampoline {

	private static final ThreadLocal<@Nullable Queue<Runnable>> RUNNING = new ThreadLocal<>();

	private Trampoline() {
	}

	/**
	 * Run tasks on this thread, one after another: now, or after those that it runs
	 * already.
	 * @param tasks the tasks, none of which throws
	 */
	public static void run(Queue<? extends Runnable> tasks) {
		Queue<Runnable> running = RUNNING.get();
		if (running != null) {
			running.addAll(tasks);
			return;
		}
		Queue<Runnable> all = new ArrayDeque<>(tasks);
		RUNNING.set(all);
		try {
			runAll(all);
		}
		finally {
			RUNNING.remove();
		}
	}

	/**
	 * This thread is about to wait, perhaps inside a task: what it has still to run,
	 * another one must.
	 * @param others run it instead
	 */
	static void leaveTo(Executor others) {
		Queue<Runnable> running = RUNNING.get();
		if (running == null) {
			return;
		}
		RUNNING.remove();
		if (!running.isEmpty()) {
			Queue<Runnable> left = new ArrayDeque<>(running);
			running.clear();
			others.execute(() -> run(left));
		}
	}

	private static void runAll(Queue<Runnable> tasks) {
		Runnable task = tasks.poll();
		while (task != null) {
			task.run();
			task = tasks.poll();
		}
	}

}
