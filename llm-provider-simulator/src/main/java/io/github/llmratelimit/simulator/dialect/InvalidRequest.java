package io.github.llmratelimit.simulator.dialect;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a request, before it is said in a provider's form.
 */
final class InvalidRequest extends RuntimeException {

	private final int status;

	private final @Nullable String parameter;

	private InvalidRequest(int status, String message, @Nullable String parameter) {
		super(message);
		this.status = status;
		this.parameter = parameter;
	}

	static InvalidRequest unknownPath(WireRequest request) {
		return new InvalidRequest(404, "Invalid URL (%s %s)".formatted(request.method(), request.path()), null);
	}

	static InvalidRequest notJson() {
		return new InvalidRequest(400, "We could not parse the JSON body of your request.", null);
	}

	static InvalidRequest missing(String parameter) {
		return new InvalidRequest(400, "Missing required parameter: '%s'.".formatted(parameter), parameter);
	}

	static InvalidRequest wrongKey() {
		return new InvalidRequest(401, "Incorrect API key provided.", null);
	}

	int status() {
		return this.status;
	}

	/** What is wrong, in one sentence. */
	String message() {
		return String.valueOf(getMessage());
	}

	/** The parameter that is missing, if one is. */
	@Nullable String parameter() {
		return this.parameter;
	}

}
