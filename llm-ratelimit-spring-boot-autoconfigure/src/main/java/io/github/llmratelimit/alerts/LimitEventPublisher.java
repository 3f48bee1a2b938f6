package io.github.llmratelimit.alerts;

import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.RateLimitListener;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes every {@link LevelChange} and every {@link LearnedLimit} as an event of the
 * application. Event listeners are called one after another on a thread of their own: a
 * slow one holds up the events behind it, but no call.
 */
public final class LimitEventPublisher implements RateLimitListener, AutoCloseable {

	private static final int CAPACITY = 256;

	private final Outbox outbox = new Outbox("events", CAPACITY);

	private final ApplicationEventPublisher publisher;

	/**
	 * Create the publisher.
	 * @param publisher where events are published
	 */
	public LimitEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void onLimitLearned(LearnedLimit learned) {
		publish(learned);
	}

	@Override
	public void onLevelChanged(LevelChange change) {
		publish(change);
	}

	private void publish(Object event) {
		this.outbox.add(() -> this.publisher.publishEvent(event));
	}

	/** Publish no more events: an application that closes cannot handle them. */
	@Override
	public void close() {
		this.outbox.abandon();
	}

}
