package io.github.llmratelimit.alerts;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderPlan;
import org.jspecify.annotations.Nullable;

/**
 * A change that people are told of.
 *
 * @param change what has changed
 * @param application name of the application, {@code null} if it has none
 * @param time when it has changed
 */
record Alert(LevelChange change, @Nullable String application, Instant time) {

	Alert {
		time = time.truncatedTo(ChronoUnit.MILLIS);
	}

	/**
	 * Everything there is to say, named as in the endpoint.
	 * @return the fields in their order, some of them {@code null}
	 */
	Map<String, @Nullable Object> fields() {
		Map<String, @Nullable Object> fields = new LinkedHashMap<>();
		fields.put("timestamp", this.time);
		fields.put("application", this.application);
		fields.put("provider", this.change.scope().provider());
		fields.put("account", this.change.scope().account());
		fields.put("model", this.change.scope().modelGroup());
		fields.put("key", this.change.key());
		fields.put("state", this.change.state());
		fields.put("cause", this.change.cause());
		fields.put("coolingDownUntil", closedUntil());
		fields.put("consecutiveThrottles", this.change.consecutiveThrottles());
		fields.put("alert", this.change.alert());
		return fields;
	}

	/**
	 * The same for people. Always begins alike, because some services let pass only what
	 * contains a known word.
	 * @return a line of text
	 */
	String text() {
		StringBuilder text = new StringBuilder("LLM rate limit: ").append(level());
		if (this.application != null) {
			text.append(" of ").append(this.application);
		}
		text.append(" is ").append(this.change.state());
		return ((this.change.state() == State.OPEN) ? text.append(" again") : text.append(details())).toString();
	}

	private String level() {
		LimitScope scope = this.change.scope();
		String models = ProviderPlan.ANY_MODEL.equals(scope.modelGroup()) ? "" : ", models " + scope.modelGroup();
		String key = (this.change.key() != null) ? ", key " + this.change.key() : "";
		return "%s (account %s%s%s)".formatted(scope.provider(), scope.account(), models, key);
	}

	private String details() {
		StringBuilder details = new StringBuilder();
		Instant until = closedUntil();
		if (until != null) {
			details.append(" until ").append(until);
		}
		if (this.change.consecutiveThrottles() > 0) {
			details.append(", refusals in a row: ").append(this.change.consecutiveThrottles());
		}
		if (this.change.cause() != null) {
			details.append(", cause: ").append(this.change.cause());
		}
		return details.toString();
	}

	private @Nullable Instant closedUntil() {
		Duration closedFor = this.change.closedFor();
		return (closedFor != null) ? this.time.plus(closedFor).truncatedTo(ChronoUnit.MILLIS) : null;
	}

}
