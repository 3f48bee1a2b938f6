package io.github.llmratelimit.simulator.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * OpenAI's form as Azure speaks it: the deployment in the path, resets in whole seconds,
 * and refusals that tell the limit only in prose.
 */
final class AzureOpenAi extends OpenAi {

	private static final String BASE = ".*/openai/(v1|deployments/(?<deployment>[^/]+))";

	private static final Pattern PATH = Pattern.compile(BASE + "/.*");

	// What it says when waiting does not help, or nobody knows how long.
	private static final long USUAL_SECONDS = 60;

	AzureOpenAi() {
		super(BASE);
	}

	@Override
	String model(RequestBody body) {
		String deployment = body.request().pathPart(PATH, "deployment");
		return deployment.isEmpty() ? super.model(body) : deployment;
	}

	@Override
	public List<StreamEvent> events(Answer answer) {
		List<StreamEvent> events = new ArrayList<>();
		events.add(StreamEvent.data(promptFilter(), 0));
		events.addAll(super.events(answer));
		return events;
	}

	private static JsonNode promptFilter() {
		return Json.object("choices", Json.array(), "created", 0, "id", "", "model", "", "object", "",
				"prompt_filter_results",
				Json.array(Json.object("prompt_index", 0, "content_filter_results", Json.object())));
	}

	@Override
	String reset(long nanos) {
		return Long.toString(GoDuration.roundUp(nanos, 1_000_000_000));
	}

	@Override
	public Problem refusal(Refusal refusal, String model) {
		return switch (refusal.cause()) {
			case REQUESTS -> exceeded(refusal, "call rate limit");
			case TOKENS, INPUT_TOKENS, OUTPUT_TOKENS, TOO_LARGE -> exceeded(refusal, "token rate limit");
			case CONCURRENCY -> exceeded(refusal, "concurrent request limit");
			case BANNED -> error(403, "AccessDenied", "The subscription of this resource is blocked.");
		};
	}

	private static Problem exceeded(Refusal refusal, String limit) {
		long seconds = (refusal.waitNanos() > 0) ? refusal.waitIn(1_000_000_000) : USUAL_SECONDS;
		return error(429, "429", ("Requests to the ChatCompletions_Create Operation under Azure OpenAI API version "
				+ "2024-10-21 have exceeded %s of your current OpenAI S0 pricing tier. Please retry after %d second%s. "
				+ "Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default "
				+ "rate limit.")
			.formatted(limit, seconds, (seconds == 1) ? "" : "s"));
	}

	@Override
	public JsonNode failure(int status) {
		return error(status, Integer.toString(status),
				"The simulated server answered with status %d.".formatted(status))
			.body();
	}

	private static Problem error(int status, String code, String message) {
		return new Problem(status, Json.object("error", Json.object("code", code, "message", message)));
	}

}
