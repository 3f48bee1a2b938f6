package io.github.llmratelimit.simulator.dialect;

import java.util.List;
import java.util.regex.Pattern;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whose API a simulated provider speaks: its paths, bodies, streams, headers and
 * refusals. Every one of them also answers {@code /simulator/echo/**}.
 */
public enum SimulatedDialect {

	/** {@code …/chat/completions} and {@code …/embeddings}. */
	OPENAI(new OpenAi()),

	/** {@code /openai/deployments/{deployment}/chat/completions}: seconds as integers. */
	AZURE_OPENAI(new AzureOpenAi()),

	/** {@code /v1/messages}: limits on input and on output, resets as moments. */
	ANTHROPIC(new Anthropic()),

	/**
	 * {@code /v1beta/models/{model}:generateContent} and {@code :streamGenerateContent},
	 * as events with {@code alt=sse}, else as a JSON array; the hint is in the body.
	 */
	GEMINI(new Gemini(), new GeminiArray()),

	/**
	 * {@code /api/v1/services/aigc/text-generation/generation}, and
	 * {@code /compatible-mode/v1/chat/completions}; no headers, no hint.
	 */
	DASHSCOPE(new DashScope(), new DashScopeCompatible()),

	/**
	 * {@code /rpc/2.0/ai_custom/v1/wenxinworkshop/chat/{model}}: refusals with HTTP
	 * status 200.
	 */
	QIANFAN(new Qianfan()),

	/** {@code /api/paas/v4/chat/completions}: numbered codes, no headers, no hint. */
	ZHIPU(new Zhipu());

	private static final Pattern ECHO = Pattern.compile("/simulator/echo(/.*)?");

	private static final JsonMapper JSON = new JsonMapper();

	private final List<WireForm> forms;

	SimulatedDialect(WireForm... forms) {
		this.forms = List.of(forms);
	}

	/**
	 * Understands a request as a call, together with the way to answer it.
	 * @throws UnreadableCallException if there is no such API or its body makes no sense
	 */
	public Conversation open(WireRequest request) {
		WireForm first = this.forms.get(0);
		if (ECHO.matcher(request.path()).matches()) {
			return new Conversation(Call.echo(request.key()), first);
		}
		WireForm form = this.forms.stream()
			.filter((candidate) -> candidate.serves(request))
			.findFirst()
			.orElseThrow(() -> new UnreadableCallException(first.invalid(InvalidRequest.unknownPath(request))));
		return open(request, form);
	}

	private static Conversation open(WireRequest request, WireForm form) {
		try {
			return new Conversation(form.read(new RequestBody(request, parse(request.body()))), form);
		}
		catch (InvalidRequest ex) {
			throw new UnreadableCallException(form.invalid(ex));
		}
	}

	private static JsonNode parse(byte[] body) {
		try {
			JsonNode parsed = JSON.readTree(body);
			if (parsed != null && parsed.isObject()) {
				return parsed;
			}
		}
		catch (JacksonException ex) {
			// not JSON: refused like JSON that is no object
		}
		throw InvalidRequest.notJson();
	}

}
