package io.github.llmratelimit.pipeline;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;

import io.github.llmratelimit.Permit;
import io.github.llmratelimit.time.WaitingThread;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
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

	/** The permit, {@code null} if there is to be none. */
	@Nullable Permit await(Mono<Permit> acquired) {
		try {
			return WaitingThread.await(this.others, (thread) -> acquired);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancellationException("interrupted while waiting for a permit");
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : new IllegalStateException(ex);
		}
	}

}
