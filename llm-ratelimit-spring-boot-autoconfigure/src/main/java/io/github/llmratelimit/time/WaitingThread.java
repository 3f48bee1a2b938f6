package io.github.llmratelimit.time;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;

/**
 * A thread that waits for a result, and runs meanwhile what must run on no other. Any
 * thread may hand it something to run. No other thread waits with it, and a virtual
 * thread is not pinned.
 */
public final class WaitingThread {

	private static final Runnable LOOK_UP = () -> {
	};

	private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

	private WaitingThread() {
	}

	/**
	 * Let the calling thread wait for a result.
	 * @param <R> type of the result
	 * @param others runs what the thread had still to do
	 * @param asked subscribed to at once; it may run its parts on the thread
	 * @return the result, {@code null} if it is empty
	 * @throws InterruptedException if the thread is interrupted before there is a result,
	 * whose subscription is then cancelled
	 * @throws ExecutionException with the error there is in place of a result
	 * @throws IllegalStateException if the thread must not block
	 */
	public static <R> @Nullable R await(Scheduler others, Function<WaitingThread, Mono<R>> asked)
			throws InterruptedException, ExecutionException {
		requireMayBlock();
		Trampoline.leaveTo(others::schedule);
		WaitingThread thread = new WaitingThread();
		CompletableFuture<R> result = asked.apply(thread).toFuture();
		result.whenComplete((value, failure) -> thread.tasks.add(LOOK_UP));
		thread.runUntilDone(result);
		return result.get();
	}

	private static void requireMayBlock() {
		if (Thread.currentThread() instanceof NonBlocking) {
			throw new IllegalStateException("thread: " + Thread.currentThread().getName()
					+ " (expected: one that may block; call it where blocking is allowed, or use execute or executeAsync or a client that does not block)");
		}
	}

	/**
	 * Something that runs on this thread.
	 * @param <T> type of its result
	 * @param action what to run
	 * @return the result of the action, which runs for each subscriber; {@code null} is
	 * empty
	 */
	public <T> Mono<T> run(Callable<? extends @Nullable T> action) {
		return Mono.create((sink) -> this.tasks.add(() -> {
			try {
				sink.success(action.call());
			}
			catch (Throwable ex) {
				sink.error(ex);
			}
		}));
	}

	/* The result may have come just before it could be cancelled. */
	private void runUntilDone(CompletableFuture<?> result) throws InterruptedException {
		while (!result.isDone()) {
			try {
				this.tasks.take().run();
			}
			catch (InterruptedException ex) {
				if (result.cancel(true)) {
					throw ex;
				}
				Thread.currentThread().interrupt();
			}
		}
	}

}
