package io.github.llmratelimit.simulator.dialect;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Error bodies in OpenAI's shape and words.
 */
final class OpenAiError {

	private static final String RATE_LIMIT = "rate_limit_exceeded";

	private OpenAiError() {
	}

	static JsonNode refused(Refusal refusal, String model) {
		return switch (refusal.cause()) {
			case REQUESTS -> of(rateReached(refusal, model, "requests per min (RPM)"), "requests", RATE_LIMIT);
			case TOKENS -> of(rateReached(refusal, model, "tokens per min (TPM)"), "tokens", RATE_LIMIT);
			case INPUT_TOKENS -> of(rateReached(refusal, model, "input tokens per min (ITPM)"), "tokens", RATE_LIMIT);
			case OUTPUT_TOKENS -> of(rateReached(refusal, model, "output tokens per min (OTPM)"), "tokens", RATE_LIMIT);
			case TOO_LARGE -> of(tooLarge(refusal, model), "tokens", RATE_LIMIT);
			case CONCURRENCY -> of("Concurrency limit reached for requests", null, null);
			case BANNED -> of("This account is banned after too many refused requests. Please try again in %s."
				.formatted(GoDuration.format(refusal.waitNanos())), "requests", "account_banned");
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

	static JsonNode invalid(InvalidRequest request) {
		String code = (request.parameter() != null) ? "missing_required_parameter" : null;
		return error(request.message(), "invalid_request_error", request.parameter(), code);
	}

	static JsonNode of(String message, @Nullable String type, @Nullable String code) {
		return error(message, type, null, code);
	}

	private static JsonNode error(String message, @Nullable String type, @Nullable String parameter,
			@Nullable String code) {
		return Json.object("error", Json.object("message", message, "type", type, "param", parameter, "code", code));
	}

}
