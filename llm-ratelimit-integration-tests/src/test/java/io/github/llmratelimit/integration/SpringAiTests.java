package io.github.llmratelimit.integration;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.annotation.LlmRateLimited;
import io.github.llmratelimit.simulator.Ledger;
import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Models of Spring AI in an application that has nothing but the starters, against
 * providers behind real HTTP servers whose minutes are short.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
class SpringAiTests {

	private static final int REQUESTS_PER_MINUTE = 30;

	private static final int CALLS = 2 * REQUESTS_PER_MINUTE;

	private static final int MAX_ATTEMPTS = 4;

	private static final ScriptedResponse OVERLOADED = ScriptedResponse
		.json(503, "{\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded.\"}}")
		.header("retry-after-ms", "1");

	private static final ProviderSimulator OPENAI = provider(SimulatedDialect.OPENAI);

	private static final ProviderSimulator ANTHROPIC = provider(SimulatedDialect.ANTHROPIC);

	private static final Scheduler CALLERS = Schedulers.newBoundedElastic(CALLS, CALLS, "caller");

	@Autowired
	private OpenAiChatModel openAi;

	@Autowired
	private AnthropicChatModel anthropic;

	@Autowired
	private SentCalls sent;

	private static ProviderSimulator provider(SimulatedDialect dialect) {
		return ProviderSimulator.start(SimulatorOptions.builder()
			.dialect(dialect)
			.requestsPerMinute(REQUESTS_PER_MINUTE)
			.minute(Duration.ofMillis(500))
			.build());
	}

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry registry) {
		registry.add("spring.ai.openai.base-url", () -> OPENAI.baseUrl() + "/v1");
		registry.add("spring.ai.anthropic.base-url", ANTHROPIC::baseUrl);
		Stream.of("openai", "anthropic").forEach((name) -> {
			String provider = "llm.ratelimit.providers." + name;
			registry.add("spring.ai." + name + ".api-key", () -> "sk-test");
			registry.add(provider + ".base-urls", () -> (name.equals("openai") ? OPENAI : ANTHROPIC).baseUrl());
			registry.add(provider + ".safety-margin", () -> "1.0");
			registry.add(provider + ".learn-limits", () -> "false");
			registry.add(provider + ".backoff.base-delay", () -> "1ms");
			registry.add(provider + ".backoff.max-delay", () -> "1ms");
			registry.add(provider + ".backoff.max-attempts", () -> MAX_ATTEMPTS);
			registry.add(provider + ".limits.windows[0].counts", () -> "requests");
			registry.add(provider + ".limits.windows[0].limit", () -> REQUESTS_PER_MINUTE);
			registry.add(provider + ".limits.windows[0].per", () -> "500ms");
			registry.add(provider + ".limits.windows[0].slack", () -> "3s");
			registry.add(provider + ".limits.windows[0].algorithm", () -> "sliding-window");
		});
	}

	@BeforeEach
	void forget() {
		this.sent.calls.set(0);
	}

	@AfterAll
	static void close() {
		OPENAI.close();
		ANTHROPIC.close();
		CALLERS.dispose();
	}

	@Test
	void callsOfOpenAiAreCountedOnce() {
		assertCountedOnce(OPENAI, calls(this.openAi));
	}

	@Test
	void streamsOfOpenAiAreCountedOnce() {
		assertCountedOnce(OPENAI, streams(this.openAi));
	}

	@Test
	void callsOfAnthropicAreCountedOnce() {
		assertCountedOnce(ANTHROPIC, calls(this.anthropic));
	}

	@Test
	void streamsOfAnthropicAreCountedOnce() {
		assertCountedOnce(ANTHROPIC, streams(this.anthropic));
	}

	private static String ask(ChatModel model) {
		return ChatClient.create(model).prompt().user("Hello").call().content();
	}

	private static Flux<String> calls(ChatModel model) {
		return Flux.range(0, CALLS).flatMap((call) -> Mono.fromCallable(() -> ask(model)).subscribeOn(CALLERS), CALLS);
	}

	private static Flux<String> streams(ChatModel model) {
		return Flux.range(0, CALLS)
			.flatMap((call) -> ChatClient.create(model)
				.prompt()
				.user("Hello")
				.stream()
				.content()
				.reduce("", String::concat), CALLS);
	}

	private void assertCountedOnce(ProviderSimulator provider, Flux<String> answers) {
		Ledger before = provider.ledger();
		assertThat(answers.filter((answer) -> !answer.isEmpty()).count().block()).isEqualTo(CALLS);
		assertThat(provider.ledger().refused()).isEqualTo(before.refused());
		assertThat(provider.ledger().arrivals() - before.arrivals()).isEqualTo(CALLS);
		assertThat(this.sent.calls).hasValue(CALLS);
	}

	@Test
	void refusedCallsAreRepeatedByTheLimiterAlone() {
		int before = OPENAI.ledger().arrivals();
		OPENAI.script(OVERLOADED, OVERLOADED);
		assertThat(ask(this.openAi)).isNotEmpty();
		assertThat(OPENAI.ledger().arrivals() - before).isEqualTo(3);
	}

	@Test
	void lastRefusalIsRepeatedByNobody() {
		int before = ANTHROPIC.ledger().arrivals();
		ANTHROPIC.script(Stream.generate(() -> OVERLOADED).limit(MAX_ATTEMPTS).toArray(ScriptedResponse[]::new));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> ask(this.anthropic));
		assertThat(ANTHROPIC.ledger().arrivals() - before).isEqualTo(MAX_ATTEMPTS);
	}

	@Test
	void annotatedMethodAndItsModelAreOneCall(@Autowired Assistant assistant) {
		int before = OPENAI.ledger().arrivals();
		assertThat(assistant.greet()).isNotEmpty();
		assertThat(OPENAI.ledger().arrivals() - before).isOne();
		assertThat(this.sent.calls).hasValue(1);
	}

	@Test
	void springAiItselfRepeatsNothing(@Autowired Environment environment) {
		assertThat(environment.getProperty("spring.ai.retry.max-attempts")).isEqualTo("0");
	}

	@SpringBootApplication
	@Import({ Assistant.class, SentCalls.class })
	static class Application {

	}

	/**
	 * Asks its model in an annotated method.
	 */
	static class Assistant {

		private final OpenAiChatModel model;

		Assistant(OpenAiChatModel model) {
			this.model = model;
		}

		@LlmRateLimited(provider = "openai")
		public String greet() {
			return ask(this.model);
		}

	}

	/**
	 * Counts the calls that were sent, and whose usage was reported.
	 */
	static class SentCalls implements RateLimitListener {

		private final AtomicInteger calls = new AtomicInteger();

		@Override
		public void onCompleted(Permit permit, CallOutcome outcome, TokenUsage usage) {
			if (outcome == CallOutcome.SUCCESS && usage != null) {
				this.calls.incrementAndGet();
			}
		}

	}

}
