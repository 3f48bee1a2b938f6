package io.github.llmratelimit.propagation;

import io.github.llmratelimit.LlmCallScope;

/**
 * Lets the options around a call travel. Found by its name. Thread-safe.
 */
public final class CallScopeAccessor extends CallLocalAccessor<LlmCallScope> {

	public CallScopeAccessor() {
		super(LlmCallScope.CURRENT);
	}

}
