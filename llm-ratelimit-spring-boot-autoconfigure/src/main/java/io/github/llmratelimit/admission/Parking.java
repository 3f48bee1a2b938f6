package io.github.llmratelimit.admission;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;

/**
 * Lets the calling thread wait for a permit. Thread-safe.
 */
final class Parking {

	private final Scheduler others;

	/**
	 * Create a parking.
	 * @param others delivers what a thread that parks had still to deliver
	 */
	Parking(Scheduler others) {
		this.others = others;
	}

	Permit await(Mono<Permit> acquired) {
		if (Thread.currentThread() instanceof NonBlocking) {
			throw new IllegalStateException("thread: " + Thread.currentThread().getName()
					+ " (expected: one that may block; use execute or executeAsync instead)");
		}
		Deliveries.leaveTo(this.others::schedule);
		CompletableFuture<Permit> permit = acquired.toFuture();
		try {
			return permit.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw interrupted(permit);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : new IllegalStateException(ex);
		}
	}

	/* The permit may have come just before it could be cancelled. */
	private static CancellationException interrupted(CompletableFuture<Permit> permit) {
		if (!permit.cancel(true) && !permit.isCompletedExceptionally()) {
			permit.join().complete(CallOutcome.NOT_SENT, null);
		}
		return new CancellationException("interrupted while waiting for a permit");
	}

}
