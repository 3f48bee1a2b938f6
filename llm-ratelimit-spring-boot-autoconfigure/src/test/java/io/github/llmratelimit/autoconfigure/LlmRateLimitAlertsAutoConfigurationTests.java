package io.github.llmratelimit.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpServer;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.actuate.RateLimitEndpoint;
import io.github.llmratelimit.alerts.AlertWebhook;
import io.github.llmratelimit.alerts.LimitEventPublisher;
import io.github.llmratelimit.alerts.WebhookFormat;
import io.github.llmratelimit.time.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LlmRateLimitAlertsAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LlmRateLimitAlertsAutoConfigurationTests {

	private static final String WEBHOOK_URL = "llm.ratelimit.alerts.webhook-url";

	private static final String SECRET_URL = "https://hooks.example.com/services/t0ken?access_token=t0ken";

	private static final LimitScope ACCOUNT = new LimitScope("acme", "default", "*");

	private static final LevelChange PAUSED = new LevelChange(ACCOUNT, State.PAUSED, "slow down", Duration.ofMinutes(2),
			10, false);

	private static final LearnedLimit LEARNED = new LearnedLimit(ACCOUNT, Limit.of("requests-per-minute",
			Counted.REQUESTS, 60, Duration.ofMinutes(1), LimitAlgorithm.SLIDING_WINDOW));

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LlmRateLimitAutoConfiguration.class, LlmRateLimitAlertsAutoConfiguration.class));

	@Test
	void publishesLevelsAndLearnedLimitsAsEventsInOrder() {
		this.runner.withUserConfiguration(Listener.class).run((context) -> {
			LimitEventPublisher publisher = context.getBean(LimitEventPublisher.class);
			publisher.onLimitLearned(LEARNED);
			publisher.onLevelChanged(PAUSED);
			Listener events = context.getBean(Listener.class);
			assertThat(events.next()).isEqualTo(LEARNED);
			assertThat(events.next()).isEqualTo(PAUSED);
		});
	}

	@Test
	void doesNotHoldUpCallWhileEventListenerBlocks() {
		this.runner.withUserConfiguration(BlockingListener.class).run((context) -> {
			BlockingListener events = context.getBean(BlockingListener.class);
			LimitEventPublisher publisher = context.getBean(LimitEventPublisher.class);
			publisher.onLevelChanged(PAUSED);
			publisher.onLevelChanged(PAUSED);
			assertThat(events.handled.getCount()).as("the call goes on before its event was handled").isEqualTo(2);
			events.release.countDown();
			assertThat(events.handled.await(10, TimeUnit.SECONDS)).isTrue();
		});
	}

	@Test
	void backsOffForOwnBean() {
		LimitEventPublisher own = new LimitEventPublisher((event) -> {
		});
		this.runner.withBean("own", LimitEventPublisher.class, () -> own)
			.run((context) -> assertThat(context).getBean(LimitEventPublisher.class).isSameAs(own));
	}

	@Test
	void tellsWebhookInItsFormat() throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		BlockingQueue<String> messages = new LinkedBlockingQueue<>();
		server.createContext("/", (exchange) -> {
			messages.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
			exchange.sendResponseHeaders(204, -1);
			exchange.close();
		});
		server.start();
		this.runner
			.withPropertyValues("spring.application.name=shop", "llm.ratelimit.alerts.format=feishu",
					WEBHOOK_URL + "=http://127.0.0.1:" + server.getAddress().getPort() + "/hook")
			.run((context) -> {
				context.getBean(AlertWebhook.class).onLevelChanged(PAUSED);
				assertThat(messages.poll(10, TimeUnit.SECONDS)).contains("\"msg_type\":\"text\"")
					.contains("acme (account default) of shop is PAUSED");
			});
		server.stop(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void tellsNobodyIfUrlIsBlank(String url) {
		this.runner.withPropertyValues(WEBHOOK_URL + "=" + url)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AlertWebhook.class));
	}

	@Test
	void tellsNobodyByDefault() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AlertWebhook.class));
	}

	@Test
	void backsOffForOwnWebhook() {
		AlertWebhook own = new AlertWebhook(URI.create("https://hooks.example.com"), WebhookFormat.JSON, null,
				TimeSource.system());
		this.runner.withPropertyValues(WEBHOOK_URL + "=" + SECRET_URL)
			.withBean("own", AlertWebhook.class, () -> own)
			.run((context) -> assertThat(context).getBean(AlertWebhook.class).isSameAs(own));
	}

	@Test
	void keepsUrlToItself(CapturedOutput output) {
		this.runner.withPropertyValues(WEBHOOK_URL + "=" + SECRET_URL).run((context) -> {
			assertThat(context).hasSingleBean(AlertWebhook.class);
			assertThat(context.getBean(LlmRateLimitProperties.class).toString()).contains("format=JSON")
				.doesNotContain("t0ken");
		});
		assertThat(output).doesNotContain("t0ken");
	}

	@ParameterizedTest
	@ValueSource(strings = { WEBHOOK_URL, "LLM_RATELIMIT_ALERTS_WEBHOOKURL" })
	void keepsUrlFromEndpointsThatShowAllValues(String name) {
		this.runner
			.withConfiguration(AutoConfigurations.of(LlmRateLimitEndpointAutoConfiguration.class,
					ConfigurationPropertiesReportEndpointAutoConfiguration.class,
					EnvironmentEndpointAutoConfiguration.class))
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, SECRET_URL))))
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.endpoint.env.show-values=always", "management.endpoint.configprops.show-values=always",
					"llm.ratelimit.providers.acme.base-urls=https://api.acme.example")
			.run((context) -> {
				assertThat(context).hasSingleBean(AlertWebhook.class);
				JsonMapper json = JsonMapper.shared();
				String shown = json.writeValueAsString(context.getBean(EnvironmentEndpoint.class).environment(null))
						+ json.writeValueAsString(
								context.getBean(ConfigurationPropertiesReportEndpoint.class).configurationProperties())
						+ json.writeValueAsString(context.getBean(RateLimitEndpoint.class).providers());
				assertThat(shown).contains("https://api.acme.example", name, "webhookUrl").doesNotContain("t0ken");
			});
	}

	@Test
	void isSwitchedOffByProperty() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false", WEBHOOK_URL + "=" + SECRET_URL)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LimitEventPublisher.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Listener {

		private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

		@EventListener
		void on(LevelChange change) {
			this.events.add(change);
		}

		@EventListener
		void on(LearnedLimit learned) {
			this.events.add(learned);
		}

		Object next() throws InterruptedException {
			return this.events.poll(10, TimeUnit.SECONDS);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BlockingListener {

		private final CountDownLatch release = new CountDownLatch(1);

		private final CountDownLatch handled = new CountDownLatch(2);

		@EventListener
		void on(LevelChange change) throws InterruptedException {
			if (this.release.await(10, TimeUnit.SECONDS)) {
				this.handled.countDown();
			}
		}

	}

}
