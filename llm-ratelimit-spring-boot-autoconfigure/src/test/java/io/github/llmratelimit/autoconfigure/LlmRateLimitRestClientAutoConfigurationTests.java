package io.github.llmratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.restclient.LlmRateLimitInterceptor;
import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.testing.RecordedCalls;
import io.github.llmratelimit.testing.ScriptedExchanges;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.service.HttpServiceClientPropertiesAutoConfiguration;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.service.HttpServiceClientAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.service.ReactiveHttpServiceClientAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.client.RestClient;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LlmRateLimitRestClientAutoConfiguration}.
 */
class LlmRateLimitRestClientAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitRestClientAutoConfiguration.class, RestClientAutoConfiguration.class,
				RestTemplateAutoConfiguration.class))
		.withPropertyValues("llm.ratelimit.providers.acme.base-urls=https://api.acme.example");

	@Test
	void limitsConfiguredBuilders() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(LlmRateLimitInterceptor.class);
			context.getBean(RestClient.Builder.class)
				.requestInterceptors((interceptors) -> assertThat(interceptors).singleElement()
					.isInstanceOf(LlmRateLimitInterceptor.class));
			assertThat(context.getBean(Integration.class).name()).isEqualTo("restclient");
		});
	}

	@Test
	void limitsTemplatesWithoutKeepingUploadsInMemory() {
		this.runner.run((context) -> {
			RestTemplateBuilder builder = context.getBean(RestTemplateBuilder.class);
			assertThat(builder.build().getInterceptors()).isEmpty();
			assertThat(builder.build().getRequestFactory().getClass().getSimpleName())
				.isEqualTo("LimitedRequestFactory");
		});
	}

	@Test
	void limitsTemplatesInsideTheirInterceptors() {
		ClientHttpRequestInterceptor own = (request, body, execution) -> execution.execute(request, body);
		this.runner.run((context) -> assertThat(
				context.getBean(RestTemplateBuilder.class).interceptors(own).build().getRequestFactory())
			.isInstanceOfSatisfying(InterceptingClientHttpRequestFactory.class,
					(factory) -> assertThat(factory.getDelegate().getClass().getSimpleName())
						.isEqualTo("LimitedRequestFactory")));
	}

	@Test
	void leavesBuildersAloneWhereNoProviderIsLimited() {
		this.runner.withPropertyValues("llm.ratelimit.defaults.mode=off")
			.run((context) -> context.getBean(RestClient.Builder.class)
				.requestInterceptors((interceptors) -> assertThat(interceptors).isEmpty()));
	}

	@Test
	void backsOffForOwnInterceptor() {
		LlmRateLimitInterceptor own = new LlmRateLimitInterceptor(new ScriptedExchanges().create());
		this.runner.withBean("own", LlmRateLimitInterceptor.class, () -> own)
			.run((context) -> context.getBean(RestClient.Builder.class)
				.requestInterceptors((interceptors) -> assertThat(interceptors).containsExactly(own)));
	}

	@Test
	void backsOffForOwnCustomizer() {
		this.runner
			.withBean("llmRateLimitRestClientCustomizer", RestClientCustomizer.class,
					() -> (builder) -> builder.baseUrl("/"))
			.run((context) -> context.getBean(RestClient.Builder.class)
				.requestInterceptors((interceptors) -> assertThat(interceptors).isEmpty()));
	}

	@ParameterizedTest
	@ValueSource(classes = { RestClient.class, RestClientCustomizer.class })
	void isAbsentWithoutRestClient(Class<?> absent) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
					LlmRateLimitRestClientAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(absent))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmRateLimiter.class)
				.doesNotHaveBean("llmRateLimitInterceptor")
				.doesNotHaveBean(Integration.class));
	}

	@Test
	void isSwitchedOffByProperty() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LlmRateLimitInterceptor.class));
	}

	@Test
	void standsBesideWebClient() {
		this.runner
			.withConfiguration(AutoConfigurations.of(LlmRateLimitWebClientAutoConfiguration.class,
					WebClientAutoConfiguration.class))
			.run((context) -> assertThat(context.getBeansOfType(Integration.class).values())
				.extracting(Integration::name)
				.containsExactlyInAnyOrder("restclient", "webclient"));
	}

	@ParameterizedTest
	@EnumSource(names = { "REST_CLIENT", "WEB_CLIENT" })
	void limitsHttpInterfaces(ClientType client) {
		RecordedCalls calls = new RecordedCalls();
		try (ProviderSimulator provider = ProviderSimulator.start()) {
			this.runner
				.withConfiguration(AutoConfigurations.of(HttpServiceClientPropertiesAutoConfiguration.class,
						HttpServiceClientAutoConfiguration.class, ReactiveHttpServiceClientAutoConfiguration.class,
						LlmRateLimitWebClientAutoConfiguration.class, WebClientAutoConfiguration.class))
				.withUserConfiguration((client == ClientType.REST_CLIENT) ? OnRestClient.class : OnWebClient.class)
				.withBean(RecordedCalls.class, () -> calls)
				.withPropertyValues("llm.ratelimit.providers.openai.base-urls=" + provider.baseUrl(),
						"spring.http.serviceclient.llm.base-url=" + provider.baseUrl())
				.run((context) -> assertThat(context.getBean(Chat.class)
					.ask(Map.of("model", "m", "messages", List.of(Map.of("role", "user", "content", "Hello")))))
					.containsKey("usage"));
		}
		assertThat(calls.completed()).singleElement().satisfies((call) -> assertThat(call.usage()).isNotNull());
	}

	/**
	 * A provider as an interface.
	 */
	interface Chat {

		/**
		 * Ask it.
		 * @param question the question
		 * @return the answer
		 */
		@PostExchange("/v1/chat/completions")
		Map<String, Object> ask(@RequestBody Map<String, Object> question);

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "llm", types = Chat.class)
	static class OnRestClient {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "llm", types = Chat.class, clientType = ClientType.WEB_CLIENT)
	static class OnWebClient {

	}

}
