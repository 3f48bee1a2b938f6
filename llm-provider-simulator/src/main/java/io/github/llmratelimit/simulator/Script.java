package io.github.llmratelimit.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The responses that the next calls get instead of the provider's. Not thread-safe.
 */
final class Script {

	private final Deque<ScriptedResponse> responses = new ArrayDeque<>();

	private boolean repeatsLast;

	/** Begins anew; what is left of the responses before is dropped. */
	void begin(List<ScriptedResponse> responses, boolean repeatsLast) {
		this.responses.clear();
		this.responses.addAll(responses);
		this.repeatsLast = repeatsLast;
	}

	@Nullable ScriptedResponse next() {
		boolean last = this.responses.size() == 1;
		return (last && this.repeatsLast) ? this.responses.peek() : this.responses.poll();
	}

}
