package io.github.llmratelimit.simulator;

import io.github.llmratelimit.simulator.Decision.Refusal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Error bodies in OpenAI's shape and words.
 */
final class ErrorBody {

	private static final String RATE_LIMIT = "rate_limit_exceeded";

	private ErrorBody() {
	}

	static JsonNode refused(Refusal refusal, String model) {
		return switch (refusal.cause()) {
			case REQUESTS -> error(rateReached(refusal, model, "requests per min (RPM)"), "requests", null, RATE_LIMIT);
			case TOKENS -> error(rateReached(refusal, model, "tokens per min (TPM)"), "tokens", null, RATE_LIMIT);
			case TOO_LARGE -> error(tooLarge(refusal, model), "tokens", null, RATE_LIMIT);
			case CONCURRENCY -> error("Concurrency limit reached for requests", null, null, null);
			case BANNED -> error("This account is banned after too many refused requests. Please try again in %s."
				.formatted(GoDuration.format(refusal.waitNanos())), "requests", null, "account_banned");
		};
	}

	private static String rateReached(Refusal refusal, String model, String limit) {
		return ("Rate limit reached for %s in organization org-simulated on %s: "
				+ "Limit %d, Used %d, Requested %d. Please try again in %s.")
			.formatted(model, limit, refusal.limit(), refusal.used(), refusal.requested(),
					GoDuration.format(refusal.waitNanos()));
	}

	private static String tooLarge(Refusal refusal, String model) {
		return ("Request too large for %s in organization org-simulated on tokens per min (TPM): Limit %d, Requested %d. "
				+ "The input or output tokens must be reduced in order to run successfully.")
			.formatted(model, refusal.limit(), refusal.requested());
	}

	static JsonNode failed(int status) {
		return error("The simulated server answered with status %d.".formatted(status), "server_error", null, null);
	}

	static JsonNode invalid(String message, @Nullable String param, @Nullable String code) {
		return error(message, "invalid_request_error", param, code);
	}

	private static JsonNode error(String message, @Nullable String type, @Nullable String param,
			@Nullable String code) {
		ObjectNode body = JsonNodeFactory.instance.objectNode();
		body.putObject("error").put("message", message).put("type", type).put("param", param).put("code", code);
		return body;
	}

}
