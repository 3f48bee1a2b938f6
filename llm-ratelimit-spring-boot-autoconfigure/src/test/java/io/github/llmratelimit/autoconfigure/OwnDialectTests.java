package io.github.llmratelimit.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.LimitHeaders;
import io.github.llmratelimit.provider.Meaning;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.time.TimeSource;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a dialect that an application adds as a bean, the one that the documentation
 * shows.
 */
class OwnDialectTests {

	private static final ScriptedResponse ANSWER = ScriptedResponse
		.json(200, "{\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":50}}")
		.header("x-acme-limit-tokens", "1000000")
		.header("x-acme-remaining-tokens", "5000");

	private final VirtualTime time = new VirtualTime();

	private final SimulatedExchange provider = new SimulatedExchange(SimulatorOptions.builder().build(),
			this.time.scheduler());

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitWebClientAutoConfiguration.class, WebClientAutoConfiguration.class))
		.withUserConfiguration(AcmeConfiguration.class)
		.withBean(TimeSource.class, () -> this.time)
		.withPropertyValues("llm.ratelimit.providers.acme.limits.tokens-per-minute=1000000",
				"llm.ratelimit.providers.acme.backoff.jitter=none");

	@Test
	void waitsAsTheProviderSays() {
		this.provider.script(ScriptedResponse.json(429, "{\"error\":{\"code\":\"TPM_EXCEEDED\",\"wait\":\"7s\"}}"),
				ANSWER);
		this.runner.run((context) -> {
			List<Integer> statuses = call(context);
			this.time.advance(Duration.ofSeconds(7).minusNanos(1));
			assertThat(statuses).isEmpty();
			this.time.advance(Duration.ofNanos(1));
			assertThat(statuses).containsExactly(200);
		});
	}

	@Test
	void knowsWhatWaitingDoesNotHeal() {
		this.provider.script(ScriptedResponse.json(429, "{\"error\":{\"message\":\"Please recharge.\"}}"), ANSWER);
		this.runner.run((context) -> {
			assertThat(call(context)).containsExactly(429);
			this.time.advance(Duration.ofMinutes(5));
			assertThat(this.provider.ledger().scripted()).isOne();
		});
	}

	@Test
	void readsItsHeaders() {
		this.provider.script(ANSWER);
		this.runner.run((context) -> {
			assertThat(call(context)).containsExactly(200);
			assertThat(account(context).limits()).singleElement()
				.satisfies((limit) -> assertThat(limit.remaining()).isBetween(5000L, 6000L));
		});
	}

	@Test
	void isWhatTheDocumentationShows() throws IOException {
		Path source = Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java");
		List<String> bean = trimmed(source).dropWhile((line) -> !line.startsWith("DialectTable acmeDialect()"))
			.takeWhile((line) -> !line.equals("}"))
			.toList();
		assertThat(bean).hasSizeGreaterThan(5);
		assertThat(trimmed(Path.of("../docs/providers.md"))).containsSequence(bean);
	}

	private static Stream<String> trimmed(Path file) throws IOException {
		return Files.readAllLines(file).stream().map(String::strip);
	}

	private List<Integer> call(ApplicationContext context) {
		List<Integer> statuses = new ArrayList<>();
		context.getBean(WebClient.Builder.class)
			.exchangeFunction(this.provider)
			.build()
			.post()
			.uri("https://api.acme.example/v1/chat")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"max_tokens\":400,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}")
			.exchangeToMono((response) -> response.toBodilessEntity())
			.subscribe((response) -> statuses.add(response.getStatusCode().value()));
		return statuses;
	}

	private static LevelSnapshot account(ApplicationContext context) {
		return context.getBean(LlmRateLimiter.class)
			.snapshot()
			.blockFirst(Duration.ofSeconds(5))
			.accounts()
			.get("default");
	}

	@Configuration(proxyBeanMethods = false)
	static class AcmeConfiguration {

		@Bean
		DialectTable acmeDialect() {
			return DialectTable.named("acme")
				.like(Dialects.named("openai-compatible"))
				.baseUrls("https://api.acme.example")
				.algorithm(Counted.TOKENS, LimitAlgorithm.TOKEN_BUCKET)
				.charges(Charge.INPUT_PLUS_MAX_OUTPUT)
				.announces(LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-acme", "-tokens"))
				.path(BodyField.RETRY_DELAY, "error.wait")
				.codes(Meaning.TOKENS, "TPM_EXCEEDED")
				.phrases(Meaning.QUOTA, "please recharge")
				.build();
		}

	}

}
