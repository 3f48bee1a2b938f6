package io.github.llmratelimit.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpServer;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.simulator.ScriptedResponse;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.time.TimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From what a provider answers to the events of the application and the message that its
 * webhook gets.
 */
class FromRefusalToAlertTests {

	private final VirtualTime time = new VirtualTime();

	private final SimulatedExchange provider = new SimulatedExchange(SimulatorOptions.builder().build(),
			this.time.scheduler());

	private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private HttpServer server;

	private ApplicationContextRunner runner;

	@BeforeEach
	void startWebhook() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			this.messages.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
			exchange.sendResponseHeaders(204, -1);
			exchange.close();
		});
		this.server.start();
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
					LlmRateLimitAlertsAutoConfiguration.class, LlmRateLimitWebClientAutoConfiguration.class,
					WebClientAutoConfiguration.class))
			.withBean(TimeSource.class, () -> this.time)
			.withUserConfiguration(Events.class)
			.withPropertyValues("spring.application.name=shop", "llm.ratelimit.providers.openai.mode=enforce",
					"llm.ratelimit.providers.openai.backoff.pause-ladder[0].after=2",
					"llm.ratelimit.providers.openai.backoff.pause-ladder[0].pause=2m",
					"llm.ratelimit.providers.openai.backoff.pause-ladder[0].alert=true",
					"llm.ratelimit.alerts.webhook-url=http://127.0.0.1:" + this.server.getAddress().getPort());
	}

	@AfterEach
	void stopWebhook() {
		this.server.stop(0);
	}

	@Test
	void tellsOfACooldownItsEndAndWhatWasLearned() {
		this.provider.script(ScriptedResponse.json(429, "{\"error\":{\"code\":\"rate_limit_exceeded\"}}")
			.header("retry-after", "3")
			.header("x-ratelimit-limit-requests", "60"), answer());
		this.runner.run((context) -> {
			call(context);
			this.time.advance(Duration.ofMinutes(2));
			Events events = context.getBean(Events.class);
			assertThat(events.next(LearnedLimit.class).limit().amount()).isEqualTo(60);
			assertThat(events.next(LevelChange.class).state()).isEqualTo(State.COOLING_DOWN);
			assertThat(events.next(LevelChange.class).state()).isEqualTo(State.OPEN);
			assertThat(this.messages).isEmpty();
		});
	}

	@Test
	void tellsPeopleOfAPauseAndOfTheRecovery() throws Exception {
		this.provider.script(refusal(), refusal(), answer());
		this.runner.run((context) -> {
			call(context);
			this.time.advance(Duration.ofMinutes(5));
			Events events = context.getBean(Events.class);
			assertThat(events.next(LevelChange.class).state()).isEqualTo(State.COOLING_DOWN);
			assertThat(events.next(LevelChange.class)).satisfies((change) -> {
				assertThat(change.state()).isEqualTo(State.PAUSED);
				assertThat(change.alert()).isTrue();
			});
			assertThat(message()).contains("\"application\":\"shop\"", "\"provider\":\"openai\"",
					"\"state\":\"PAUSED\"", "\"alert\":true", "\"consecutiveThrottles\":2");
			assertThat(message()).contains("\"state\":\"OPEN\"");
		});
	}

	@Test
	void tellsPeopleOfAQuotaThatIsUsedUpAndOfTheRecovery() {
		ScriptedResponse quota = ScriptedResponse.json(429, "{\"error\":{\"type\":\"insufficient_quota\"}}");
		this.provider.script(quota, quota, answer());
		this.runner.run((context) -> {
			call(context);
			call(context);
			this.time.advance(Duration.ofMinutes(11));
			assertThat(message()).contains("\"state\":\"OUT_OF_SERVICE\"", "\"alert\":true");
			call(context);
			this.time.advance(Duration.ofSeconds(1));
			assertThat(message()).contains("\"state\":\"OPEN\"");
			Events events = context.getBean(Events.class);
			assertThat(events.next(LevelChange.class).state()).isEqualTo(State.OUT_OF_SERVICE);
			assertThat(events.next(LevelChange.class).state()).isEqualTo(State.OPEN);
		});
	}

	private static ScriptedResponse refusal() {
		return ScriptedResponse.json(429, "{\"error\":{\"code\":\"rate_limit_exceeded\"}}");
	}

	private static ScriptedResponse answer() {
		return ScriptedResponse.json(200, "{\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}");
	}

	private void call(ApplicationContext context) {
		context.getBean(WebClient.Builder.class)
			.exchangeFunction(this.provider)
			.build()
			.post()
			.uri("https://api.openai.com/v1/chat/completions")
			.bodyValue("{\"model\":\"m\"}")
			.exchangeToMono((response) -> response.toBodilessEntity())
			.subscribe();
		this.time.advance(Duration.ofMillis(100));
	}

	private String message() throws InterruptedException {
		return this.messages.poll(10, TimeUnit.SECONDS);
	}

	@Configuration(proxyBeanMethods = false)
	static class Events {

		private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

		@EventListener
		void on(LevelChange change) {
			this.events.add(change);
		}

		@EventListener
		void on(LearnedLimit learned) {
			this.events.add(learned);
		}

		/* What is learned comes at any time between changes of levels. */
		<T> T next(Class<T> type) throws InterruptedException {
			Object event = this.events.poll(10, TimeUnit.SECONDS);
			while (event != null && !type.isInstance(event)) {
				event = this.events.poll(10, TimeUnit.SECONDS);
			}
			return type.cast(event);
		}

	}

}
