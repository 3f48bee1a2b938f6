package io.github.llmratelimit.autoconfigure;

import java.time.Duration;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.jdk.JdkHttpClient;
import dev.langchain4j.http.client.jdk.JdkHttpClientBuilder;
import dev.langchain4j.http.client.spring.restclient.SpringRestClientBuilder;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.exchange.LlmExchanges;
import io.github.llmratelimit.langchain4j.LlmRateLimitHttpClientBuilder;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LlmRateLimitLangChain4jAutoConfiguration}.
 */
class LlmRateLimitLangChain4jAutoConfigurationTests {

	private static final String BUILDER = "openAiChatModelHttpClientBuilder";

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LlmRateLimitAutoConfiguration.class, LlmRateLimitLangChain4jAutoConfiguration.class));

	@Test
	void limitsTheClientsOfBuildersThatAreBeans() {
		JdkHttpClientBuilder builder = JdkHttpClient.builder();
		this.runner.withBean(BUILDER, HttpClientBuilder.class, () -> builder).run((context) -> {
			HttpClientBuilder limiting = context.getBean(HttpClientBuilder.class);
			assertThat(limiting).isInstanceOf(LlmRateLimitHttpClientBuilder.class);
			limiting.connectTimeout(Duration.ofSeconds(1)).readTimeout(Duration.ofSeconds(2));
			assertThat(limiting.connectTimeout()).isEqualTo(builder.connectTimeout()).hasSeconds(1);
			assertThat(limiting.readTimeout()).isEqualTo(builder.readTimeout()).hasSeconds(2);
			assertThat(limiting.build()).isInstanceOf(HttpClient.class).isNotInstanceOf(JdkHttpClient.class);
			assertThat(context.getBean(Integration.class).name()).isEqualTo("langchain4j");
		});
	}

	@Test
	void limitsNoneTwice() {
		LlmRateLimitHttpClientBuilder byHand = new LlmRateLimitHttpClientBuilder(mock(LlmExchanges.class),
				JdkHttpClient.builder());
		this.runner.withBean(BUILDER, HttpClientBuilder.class, () -> byHand)
			.run((context) -> assertThat(context.getBean(HttpClientBuilder.class)).isSameAs(byHand));
	}

	@Test
	void leavesTheOneOnRestClientToThoseThatCoverRestClients() {
		ApplicationContextRunner onRestClient = this.runner.withBean(BUILDER, HttpClientBuilder.class,
				SpringRestClientBuilder::new);
		onRestClient.run((context) -> assertThat(context.getBean(HttpClientBuilder.class))
			.isInstanceOf(LlmRateLimitHttpClientBuilder.class));
		onRestClient.withBean("restclient", Integration.class, () -> new Integration("restclient"))
			.run((context) -> assertThat(context.getBean(HttpClientBuilder.class))
				.isInstanceOf(SpringRestClientBuilder.class));
	}

	@Test
	void isAbsentWithoutLangChain4j() {
		this.runner.withClassLoader(new FilteredClassLoader(HttpClientBuilder.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmRateLimiter.class)
				.doesNotHaveBean(Integration.class));
	}

	@Test
	void isSwitchedOffByProperty() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false")
			.withBean(BUILDER, HttpClientBuilder.class, JdkHttpClient::builder)
			.run((context) -> assertThat(context.getBean(HttpClientBuilder.class))
				.isInstanceOf(JdkHttpClientBuilder.class));
	}

}
