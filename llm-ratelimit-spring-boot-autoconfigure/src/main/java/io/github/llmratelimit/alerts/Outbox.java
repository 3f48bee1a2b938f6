package io.github.llmratelimit.alerts;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Delivers on a thread of its own, in order, what must not hold up a call. What does not
 * fit is dropped. Thread-safe.
 */
final class Outbox {

	private static final Log logger = LogFactory.getLog(Outbox.class);

	private static final long IDLE_SECONDS = 10;

	private final String name;

	private final AtomicLong dropped = new AtomicLong();

	private final ThreadPoolExecutor courier;

	Outbox(String name, int capacity) {
		this.name = name;
		this.courier = new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(capacity),
				this::thread, (delivery, courier) -> drop(courier));
	}

	/*
	 * Started on demand by any thread, whose class loader may not know the application.
	 */
	private Thread thread(Runnable work) {
		Thread thread = new Thread(work, "llm-ratelimit-" + this.name);
		thread.setDaemon(true);
		thread.setContextClassLoader(Outbox.class.getClassLoader());
		return thread;
	}

	private void drop(ThreadPoolExecutor courier) {
		if (!courier.isShutdown()) {
			this.dropped.incrementAndGet();
		}
	}

	/**
	 * Deliver soon, or never if too much waits already.
	 * @param delivery what to do
	 */
	void add(Runnable delivery) {
		this.courier.execute(() -> deliver(delivery));
	}

	private void deliver(Runnable delivery) {
		try {
			delivery.run();
		}
		catch (Exception ex) {
			logger.warn("Delivery of LLM rate limit " + this.name + " failed", ex);
		}
		finally {
			reportDropped();
		}
	}

	private void reportDropped() {
		long count = this.dropped.getAndSet(0);
		if (count > 0) {
			logger.warn("LLM rate limit %s were dropped because too many waited: %d".formatted(this.name, count));
		}
	}

	/** Deliver what waits, and nothing else. */
	void close() {
		this.courier.shutdown();
	}

	/** Deliver nothing else. */
	void abandon() {
		this.courier.shutdownNow();
	}

}
