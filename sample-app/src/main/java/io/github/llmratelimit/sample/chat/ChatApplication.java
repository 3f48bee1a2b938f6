package io.github.llmratelimit.sample.chat;

import java.time.Duration;

import io.github.llmratelimit.sample.provider.ChatClient;
import io.github.llmratelimit.sample.provider.EmbeddedSimulator;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.OutputTokens;
import io.github.llmratelimit.simulator.SimulatorOptions;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * A web application in front of a simulated provider of 60 requests and 100,000 tokens a
 * minute. It needs no key and no network.
 */
@SpringBootApplication
public class ChatApplication {

	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(ChatApplication.class);
		application.addInitializers(new EmbeddedSimulator((environment) -> provider()));
		application.run(args);
	}

	private static SimulatorOptions provider() {
		return SimulatorOptions.builder()
			.requestsPerMinute(60)
			.tokensPerMinute(100_000)
			.latency(Delay.uniform(Duration.ofMillis(200), Duration.ofMillis(600)))
			.outputTokens(OutputTokens.lognormal(120, 0.8))
			.chunkInterval(Duration.ofMillis(20))
			.build();
	}

	/** The builder is Spring Boot's own; the starter has already put its filter in. */
	@Bean
	ChatClient chatClient(WebClient.Builder builder, @Value("${chat.base-url}") String baseUrl) {
		return new ChatClient(builder.baseUrl(baseUrl).build());
	}

}
