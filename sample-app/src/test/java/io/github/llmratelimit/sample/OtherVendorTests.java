package io.github.llmratelimit.sample;

import java.time.Duration;

import io.github.llmratelimit.sample.provider.EmbeddedSimulator;
import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.simulator.SimulatorOptions;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An API without tokens, for example for payments: 50 requests a second.
 */
class OtherVendorTests {

	private static final int CALLS = 101;

	@Test
	void keepsToRequestsPerSecond() {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Shop.class).web(WebApplicationType.NONE)
			.initializers(new EmbeddedSimulator((environment) -> SimulatorOptions.builder().build()))
			.properties("spring.config.name=none", "spring.ai.openai.api-key=none")
			.properties("llm.ratelimit.providers.payments.base-urls=${simulator.url}/simulator/echo")
			.properties("llm.ratelimit.providers.payments.limits.requests-per-second=50");
		try (ConfigurableApplicationContext context = application.run()) {
			WebClient client = context.getBean(WebClient.Builder.class)
				.baseUrl(context.getEnvironment().getRequiredProperty("simulator.url"))
				.build();
			long start = System.nanoTime();
			assertThat(pay(client)).hasSize(CALLS).allMatch(HttpStatusCode::is2xxSuccessful);
			Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
			// At most 50 at once, 50 a second later, and the last after one second more.
			assertThat(elapsed).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
			assertThat(context.getBean(ProviderSimulator.class).ledger().accepted()).isEqualTo(CALLS);
		}
	}

	private static Iterable<HttpStatusCode> pay(WebClient client) {
		return Flux.range(1, CALLS)
			.flatMap((number) -> client.post().uri("/simulator/echo/payments").retrieve().toBodilessEntity(), CALLS)
			.map((response) -> response.getStatusCode())
			.collectList()
			.blockOptional(Duration.ofMinutes(1))
			.orElseThrow();
	}

	@EnableAutoConfiguration
	static class Shop {

	}

}
