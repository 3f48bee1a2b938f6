package io.github.llmratelimit.sample.ways;

import java.util.stream.Collectors;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The auto-configured models of Spring AI are limited.
 */
@Configuration(proxyBeanMethods = false)
class SpringAiWays {

	private final ChatClient client;

	SpringAiWays(ChatClient.Builder builder) {
		this.client = builder.build();
	}

	@Bean
	WayIn springAi() {
		return WayIn.blocking("Spring AI", (question) -> this.client.prompt(question).call().content());
	}

	@Bean
	WayIn springAiStream() {
		return new WayIn("Spring AI, stream",
				(question) -> this.client.prompt(question).stream().content().collect(Collectors.joining()));
	}

}
