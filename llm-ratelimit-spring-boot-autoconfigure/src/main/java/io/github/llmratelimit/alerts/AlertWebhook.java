package io.github.llmratelimit.alerts;

import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.alerts.Webhook.Answer;
import io.github.llmratelimit.time.TimeSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells people by a webhook of changes that are an alert, of levels that are closed for
 * long, and of the recovery of both. A message that cannot be delivered is logged and
 * lost.
 */
public final class AlertWebhook implements RateLimitListener, AutoCloseable {

	private static final Log logger = LogFactory.getLog(AlertWebhook.class);

	private static final int CAPACITY = 16;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final Set<State> CLOSED_FOR_LONG = EnumSet.of(State.PAUSED, State.OUT_OF_SERVICE);

	private final Outbox outbox = new Outbox("alerts", CAPACITY);

	/** What was announced as closed. */
	private final Set<Subject> announced = ConcurrentHashMap.newKeySet();

	private final Webhook webhook;

	private final WebhookFormat format;

	private final @Nullable String application;

	private final TimeSource time;

	/**
	 * Create the webhook.
	 * @param url where messages are sent, by http or https
	 * @param format what it expects
	 * @param application name of the application, {@code null} if it has none
	 * @param time the time
	 */
	public AlertWebhook(URI url, WebhookFormat format, @Nullable String application, TimeSource time) {
		this(new Webhook(url, TIMEOUT), format, application, time);
	}

	AlertWebhook(Webhook webhook, WebhookFormat format, @Nullable String application, TimeSource time) {
		this.webhook = webhook;
		this.format = format;
		this.application = application;
		this.time = time;
	}

	@Override
	public void onLevelChanged(LevelChange change) {
		if (isNews(change)) {
			Alert alert = new Alert(change, this.application, this.time.now());
			this.outbox.add(() -> send(alert));
		}
	}

	/* Nobody will hear of its recovery. */
	@Override
	public void onLevelEvicted(EvictedLevel evicted) {
		this.announced.remove(new Subject(evicted.scope(), null));
	}

	private boolean isNews(LevelChange change) {
		if (change.state() == State.OPEN) {
			return this.announced.remove(Subject.of(change)) || change.alert();
		}
		boolean news = change.alert() || CLOSED_FOR_LONG.contains(change.state());
		if (news) {
			this.announced.add(Subject.of(change));
		}
		return news;
	}

	/* What an exception or an answer says may repeat the URL. */
	private void send(Alert alert) {
		try {
			check(this.webhook.post(this.format.body(alert)));
		}
		catch (ExecutionException ex) {
			reportFailure(Objects.requireNonNullElse(ex.getCause(), ex).getClass().getSimpleName());
		}
		catch (TimeoutException ex) {
			reportFailure("it did not answer in time");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void check(Answer answer) {
		String error = this.format.errorOf(answer.body());
		if (!answer.isSuccessful()) {
			reportFailure("it answered with status " + answer.status());
		}
		else if (!"0".equals(error)) {
			reportFailure("it answered with code " + error);
		}
	}

	private void reportFailure(String cause) {
		logger.warn("Alert could not be delivered to %s: %s".formatted(this.webhook, cause));
	}

	/** Deliver what waits, but no more. */
	@Override
	public void close() {
		this.outbox.close();
	}

	/**
	 * A level, or one key of an account.
	 */
	private record Subject(LimitScope scope, @Nullable String key) {

		static Subject of(LevelChange change) {
			return new Subject(change.scope(), change.key());
		}

	}

}
