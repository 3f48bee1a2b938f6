package io.github.llmratelimit.token;

/**
 * Says how many tokens a prompt has before it is sent. A bean of this type replaces the
 * {@linkplain HeuristicTokenEstimator heuristic}. Implementations MUST be thread-safe,
 * MUST NOT block and should be fast: they run once for every call.
 */
@FunctionalInterface
public interface TokenEstimator {

	/**
	 * The tokens of a request's prompt: messages, system prompt, tools, images.
	 * @param request what is known of the request
	 * @return tokens, 0 or more
	 */
	long inputTokens(RequestFacts request);

}
