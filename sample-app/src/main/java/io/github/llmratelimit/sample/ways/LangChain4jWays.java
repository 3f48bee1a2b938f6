package io.github.llmratelimit.sample.ways;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.jdk.JdkHttpClient;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Models of LangChain4j on a bean of {@link HttpClientBuilder}, which is limited.
 */
@Configuration(proxyBeanMethods = false)
class LangChain4jWays {

	@Bean
	HttpClientBuilder httpClientBuilder() {
		return JdkHttpClient.builder();
	}

	@Bean
	WayIn langChain4j(HttpClientBuilder http, @Value("${simulator.url}") String url) {
		ChatModel model = OpenAiChatModel.builder()
			.httpClientBuilder(http)
			.baseUrl(url + "/v1")
			.apiKey("none")
			.modelName("gpt-4o-mini")
			.maxTokens(40)
			.maxRetries(0)
			.build();
		return WayIn.blocking("LangChain4j", model::chat);
	}

	@Bean
	WayIn langChain4jStream(HttpClientBuilder http, @Value("${simulator.url}") String url) {
		StreamingChatModel model = OpenAiStreamingChatModel.builder()
			.httpClientBuilder(http)
			.baseUrl(url + "/v1")
			.apiKey("none")
			.modelName("gpt-4o-mini")
			.maxTokens(40)
			.build();
		return new WayIn("LangChain4j, stream",
				(question) -> Mono.create((answer) -> model.chat(question, new Handler(answer))));
	}

	private record Handler(MonoSink<String> answer) implements StreamingChatResponseHandler {

		@Override
		public void onCompleteResponse(ChatResponse response) {
			this.answer.success(response.aiMessage().text());
		}

		@Override
		public void onError(Throwable failure) {
			this.answer.error(failure);
		}

	}

}
