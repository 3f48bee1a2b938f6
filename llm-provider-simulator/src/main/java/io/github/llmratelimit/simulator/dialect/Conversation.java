package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import tools.jackson.databind.JsonNode;

/**
 * A call, and how to speak to its caller. Immutable.
 */
public final class Conversation {

	private final Call call;

	private final WireForm form;

	Conversation(Call call, WireForm form) {
		this.call = call;
		this.form = form;
	}

	/** What the caller asks for. */
	public Call call() {
		return this.call;
	}

	/**
	 * The body of a whole answer.
	 * @param number of the answer, for its id
	 * @param outputTokens what the model wrote
	 * @param now when it is given
	 */
	public JsonNode answer(long number, int outputTokens, Instant now) {
		boolean echo = this.call.kind() == Kind.ECHO;
		return echo ? Json.object("ok", true) : this.form.answer(new Answer(this.call, number, outputTokens, now));
	}

	/** The pieces of the same answer if it is streamed. */
	public List<StreamEvent> events(long number, int outputTokens, Instant now) {
		return this.form.events(new Answer(this.call, number, outputTokens, now));
	}

	/** The content type of a streamed answer. */
	public String streamType() {
		return this.form.streamType();
	}

	/** The headers that announce limits. */
	public Map<String, String> levels(Levels levels, Instant now) {
		return this.form.levels(levels, now);
	}

	/** The headers that tell a refused caller how long to wait. */
	public Map<String, String> hint(long waitNanos) {
		return this.form.hint(waitNanos);
	}

	/** How the call is refused. */
	public Problem refusal(Refusal refusal) {
		return this.form.refusal(refusal, this.call.model());
	}

	/** How a call is answered whose key is not accepted. */
	public Problem unauthorized() {
		return this.form.invalid(InvalidRequest.wrongKey());
	}

	/** How an admitted call fails. */
	public Problem failure(int status) {
		return new Problem(status, this.form.failure(status));
	}

}
