package io.github.llmratelimit.simulator;

import tools.jackson.databind.JsonNode;

/**
 * A request that is no call of any simulated API; it meets no limit and is not logged.
 */
final class UnreadableCallException extends RuntimeException {

	private final transient int status;

	private final transient JsonNode body;

	private UnreadableCallException(int status, JsonNode body) {
		super(body.toString());
		this.status = status;
		this.body = body;
	}

	static UnreadableCallException unknownPath(WireRequest request) {
		return new UnreadableCallException(404,
				ErrorBody.invalid("Invalid URL (%s %s)".formatted(request.method(), request.path()), null, null));
	}

	static UnreadableCallException notJson() {
		return new UnreadableCallException(400,
				ErrorBody.invalid("We could not parse the JSON body of your request.", null, null));
	}

	static UnreadableCallException missing(String parameter) {
		return new UnreadableCallException(400, ErrorBody.invalid(
				"Missing required parameter: '%s'.".formatted(parameter), parameter, "missing_required_parameter"));
	}

	int status() {
		return this.status;
	}

	JsonNode body() {
		return this.body;
	}

}
