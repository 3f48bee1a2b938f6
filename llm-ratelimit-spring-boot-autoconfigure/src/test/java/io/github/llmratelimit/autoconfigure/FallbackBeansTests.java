package io.github.llmratelimit.autoconfigure;

import java.time.Duration;

import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.testing.RecordingListener;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Beans of {@link LlmFallback}, from the provider's refusal to the caller.
 */
class FallbackBeansTests {

	private final VirtualTime time = new VirtualTime();

	private final SimulatedExchange provider = new SimulatedExchange(SimulatorOptions.builder().build(),
			this.time.scheduler());

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(LlmRateLimitAutoConfiguration.class, LlmRateLimitWebClientAutoConfiguration.class,
						LlmRateLimitMetricsAutoConfiguration.class, WebClientAutoConfiguration.class))
		.withBean(TimeSource.class, () -> this.time)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(RecordingListener.class, RecordingListener::new)
		.withUserConfiguration(Fallbacks.class)
		.withPropertyValues("llm.ratelimit.providers.openai.mode=enforce");

	@Test
	void areAskedInTheirOrder() {
		this.runner.run((context) -> {
			ResponseEntity<String> response = call(context);
			assertThat(response.getBody()).isEqualTo("of the second");
			assertThat(response.getHeaders().getFirst(LlmFallback.HEADER)).isEqualTo("QUOTA_EXHAUSTED");
		});
	}

	@Test
	void areCountedAndTold() {
		this.runner.run((context) -> {
			call(context);
			assertThat(context.getBean(MeterRegistry.class)
				.get("llm.ratelimit.fallbacks")
				.tags("provider", "openai", "account", "default", "model", "*", "reason", "quota-exhausted")
				.counter()
				.count()).isEqualTo(1);
			assertThat(context.getBean(RecordingListener.class).events()).containsOnlyOnce("fallback QUOTA_EXHAUSTED");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "shadow", "off" })
	void areNotAskedWhereLimitsAreNotEnforced(String mode) {
		this.runner
			.withPropertyValues("llm.ratelimit.providers.openai.mode=" + mode,
					"llm.ratelimit.providers.openai.on-exhausted=exception")
			.run((context) -> {
				ResponseEntity<String> response = call(context);
				assertThat(response.getStatusCode().value()).isEqualTo(429);
				assertThat(response.getHeaders().headerNames()).doesNotContain(LlmFallback.HEADER);
			});
	}

	@Test
	void inTheShadowACallEndsWithTheResponseWhateverIsConfigured() {
		this.provider.script(ScriptedResponse.json(429, "{\"error\":{\"code\":\"rate_limit_exceeded\"}}"));
		this.runner
			.withPropertyValues("llm.ratelimit.providers.openai.mode=shadow",
					"llm.ratelimit.providers.openai.on-exhausted=exception")
			.run((context) -> assertThat(send(context).getStatusCode().value()).isEqualTo(429));
	}

	private ResponseEntity<String> call(ApplicationContext context) {
		this.provider.script(ScriptedResponse.json(429, "{\"error\":{\"type\":\"insufficient_quota\"}}"));
		return send(context);
	}

	private ResponseEntity<String> send(ApplicationContext context) {
		Sinks.One<ResponseEntity<String>> result = Sinks.one();
		context.getBean(WebClient.Builder.class)
			.exchangeFunction(this.provider)
			.build()
			.post()
			.uri("https://api.openai.com/v1/chat/completions")
			.bodyValue("{\"model\":\"m\"}")
			.exchangeToMono((response) -> response.toEntity(String.class))
			.subscribe(result::tryEmitValue, result::tryEmitError);
		this.time.advance(Duration.ofSeconds(1));
		return result.asMono().block(Duration.ofSeconds(5));
	}

	@Configuration(proxyBeanMethods = false)
	static class Fallbacks {

		@Bean
		@Order(3)
		LlmFallback third() {
			return (refused) -> Mono.just(FallbackAnswer.json("of the third"));
		}

		@Bean
		@Order(2)
		LlmFallback second() {
			return LlmFallback.forProvider("openai", (refused) -> Mono.just(FallbackAnswer.json("of the second")));
		}

		@Bean
		@Order(1)
		LlmFallback first() {
			return LlmFallback.forProvider("anthropic", (refused) -> Mono.just(FallbackAnswer.json("of the first")));
		}

	}

}
