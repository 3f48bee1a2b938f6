package io.github.llmratelimit.sample.ways;

import java.util.stream.Collectors;

import com.openai.client.OpenAIClient;
import com.openai.client.OpenAIClientImpl;
import com.openai.client.okhttp.OkHttpClient;
import com.openai.core.ClientOptions;
import com.openai.core.http.StreamResponse;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.sdk.LlmRateLimitOpenAiHttpClient;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The SDK of OpenAI on a limited HTTP client.
 */
@Configuration(proxyBeanMethods = false)
class OpenAiJavaWays {

	@Bean(destroyMethod = "close")
	OpenAIClient openAiClient(LlmExchanges exchanges, @Value("${simulator.url}") String url) {
		return new OpenAIClientImpl(ClientOptions.builder()
			.httpClient(new LlmRateLimitOpenAiHttpClient(OkHttpClient.builder().build(), exchanges))
			.baseUrl(url + "/v1")
			.apiKey("none")
			.maxRetries(0)
			.build());
	}

	@Bean
	WayIn openAiJava(OpenAIClient client) {
		return WayIn.blocking("openai-java",
				(question) -> text(client.chat().completions().create(request(question).build())));
	}

	@Bean
	WayIn openAiJavaFuture(OpenAIClient client) {
		return new WayIn("openai-java, CompletableFuture",
				(question) -> Mono
					.fromFuture(() -> client.async().chat().completions().create(request(question).build()))
					.map(OpenAiJavaWays::text));
	}

	@Bean
	WayIn openAiJavaStream(OpenAIClient client) {
		return WayIn.blocking("openai-java, stream", (question) -> {
			ChatCompletionStreamOptions usage = ChatCompletionStreamOptions.builder().includeUsage(true).build();
			try (StreamResponse<ChatCompletionChunk> chunks = client.chat()
				.completions()
				.createStreaming(request(question).streamOptions(usage).build())) {
				return chunks.stream().map(OpenAiJavaWays::text).collect(Collectors.joining());
			}
		});
	}

	private static ChatCompletionCreateParams.Builder request(String question) {
		return ChatCompletionCreateParams.builder()
			.model("gpt-4o-mini")
			.maxCompletionTokens(40)
			.addUserMessage(question);
	}

	private static String text(ChatCompletion answer) {
		return answer.choices().get(0).message().content().orElse("");
	}

	private static String text(ChatCompletionChunk piece) {
		return piece.choices()
			.stream()
			.flatMap((choice) -> choice.delta().content().stream())
			.collect(Collectors.joining());
	}

}
