package io.github.llmratelimit.sdk;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import com.anthropic.core.http.Headers;
import com.anthropic.errors.BadRequestException;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.RateLimitException;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrownResponse;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.simulator.ScriptedResponse;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What the SDKs throw says the same as the response from which they made it.
 */
class ResponseReaderTests {

	private static final String NO_QUOTA = """
			{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}""";

	@Test
	void readsWhatOpenAiJavaThrows() {
		try (ProviderSimulator provider = ProviderSimulator.start()) {
			provider.script(ScriptedResponse.json(429, NO_QUOTA).header("retry-after", "7"));
			OpenAIClient client = OpenAIOkHttpClient.builder()
				.baseUrl(provider.baseUrl() + "/v1")
				.apiKey("sk-test")
				.maxRetries(0)
				.build();
			RateLimitException thrown = catchThrowableOfType(RateLimitException.class,
					() -> client.chat()
						.completions()
						.create(ChatCompletionCreateParams.builder().model("m").addUserMessage("Hello").build()));
			ThrownResponse response = new OpenAiResponseReader().read(thrown);
			assertThat(response.status()).isEqualTo(429);
			assertThat(response.headers().apply("retry-after")).isEqualTo("7");
			assertThat(response.headers().apply("absent")).isNull();
			assertThat(outcome("openai", response)).isEqualTo(CallOutcome.QUOTA_EXHAUSTED);
			client.close();
		}
	}

	@Test
	void readsWhatAnthropicJavaThrows() {
		BadRequestException thrown = BadRequestException.builder()
			.headers(Headers.builder().put("request-id", "r").build())
			.body(com.anthropic.core.JsonValue.from(Map.of("type", "error", "error",
					Map.of("type", "invalid_request_error", "message",
							"Your credit balance is too low to access the API"))))
			.build();
		ThrownResponse response = new AnthropicResponseReader().read(thrown);
		assertThat(response.status()).isEqualTo(400);
		assertThat(response.headers().apply("request-id")).isEqualTo("r");
		assertThat(outcome("anthropic", response)).isEqualTo(CallOutcome.QUOTA_EXHAUSTED);
	}

	@Test
	void knowsNothingOfOtherExceptions() {
		assertThat(new OpenAiResponseReader().read(new IllegalStateException())).isNull();
		assertThat(new AnthropicResponseReader().read(new IllegalStateException())).isNull();
	}

	@Test
	void writesNothingWhereNothingWasParsed() {
		assertThat(ThrownBody.bytes(null)).isEmpty();
		assertThat(new String(ThrownBody.bytes(Map.of("error", "x")), StandardCharsets.UTF_8))
			.isEqualTo("{\"error\":\"x\"}");
	}

	private static CallOutcome outcome(String name, ThrownResponse response) {
		ProviderDialect dialect = Dialects.builtIn().get(name);
		return dialect.classify(new ResponseHead(response.status(), response.headers()), response.body()).outcome();
	}

}
