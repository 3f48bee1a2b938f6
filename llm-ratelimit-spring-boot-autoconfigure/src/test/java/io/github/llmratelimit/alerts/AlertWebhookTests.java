package io.github.llmratelimit.alerts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.time.TimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link AlertWebhook} over HTTP.
 */
@ExtendWith(OutputCaptureExtension.class)
class AlertWebhookTests {

	private static final String SECRET = "t0ken";

	private static final LimitScope ACCOUNT = new LimitScope("acme", "default", "*");

	private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

	private final CountDownLatch release = new CountDownLatch(1);

	private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(AlertWebhook.class);

	private final Appender<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			AlertWebhookTests.this.warnings.add(event.getFormattedMessage());
		}

	};

	private HttpServer server;

	@BeforeEach
	void start() throws IOException {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.appender);
		this.release.countDown();
		this.server.stop(0);
	}

	@ParameterizedTest
	@EnumSource(names = { "PAUSED", "OUT_OF_SERVICE" })
	void tellsOfLongClosureAndRecovery(State state) {
		answer(200, "ok");
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		webhook.onLevelChanged(change(state, false));
		webhook.onLevelChanged(change(State.PROBING, false));
		webhook.onLevelChanged(change(State.OPEN, false));
		webhook.onLevelChanged(change(State.OPEN, true));
		assertThat(next().get("state").asString()).isEqualTo(state.name());
		assertThat(next().get("state").asString()).isEqualTo("OPEN");
		assertThat(next().get("alert").asBoolean()).isTrue();
	}

	@Test
	void tellsOfAlertAndItsRecovery() {
		answer(200, "ok");
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		webhook.onLevelChanged(change(State.COOLING_DOWN, true));
		webhook.onLevelChanged(change(State.OPEN, false));
		assertThat(next().get("state").asString()).isEqualTo("COOLING_DOWN");
		assertThat(next().get("state").asString()).isEqualTo("OPEN");
	}

	@Test
	void isSilentAboutCooldownsAndWhatOpensAfterThem() {
		answer(200, "ok");
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		webhook.onLevelChanged(change(State.COOLING_DOWN, false));
		webhook.onLevelChanged(change(State.OPEN, false));
		webhook.onLevelChanged(change(State.PAUSED, false));
		assertThat(next().get("state").asString()).isEqualTo("PAUSED");
	}

	@Test
	void keepsLevelsApart() {
		answer(200, "ok");
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		webhook.onLevelChanged(change(State.PAUSED, false));
		webhook.onLevelChanged(
				new LevelChange(new LimitScope("acme", "default", "small"), State.OPEN, null, null, 0, false));
		webhook.onLevelChanged(change(State.OPEN, false));
		assertThat(next().get("model").asString()).isEqualTo("*");
		assertThat(next().get("model").asString()).isEqualTo("*");
	}

	@Test
	void forgetsLevelsThatAreEvicted() {
		answer(200, "ok");
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		LimitScope scope = new LimitScope("acme", "default", "small");
		webhook.onLevelChanged(new LevelChange(scope, State.PAUSED, null, null, 5, false));
		webhook.onLevelEvicted(new EvictedLevel(scope, List.of()));
		webhook.onLevelChanged(new LevelChange(scope, State.OPEN, null, null, 0, false));
		webhook.onLevelChanged(change(State.PAUSED, false));
		assertThat(next().get("model").asString()).isEqualTo("small");
		assertThat(next().get("model").asString()).isEqualTo("*");
	}

	@Test
	void keepsKeysApartFromEachOtherAndTheirAccount() {
		answer(200, "ok");
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		webhook.onLevelChanged(keyChange("a", State.OUT_OF_SERVICE));
		webhook.onLevelChanged(keyChange("b", State.OPEN));
		webhook.onLevelChanged(change(State.OPEN, false));
		webhook.onLevelChanged(keyChange("a", State.OPEN));
		assertThat(next().get("state").asString()).isEqualTo("OUT_OF_SERVICE");
		JsonNode open = next();
		assertThat(open.get("key").asString()).isEqualTo("a");
		assertThat(open.get("state").asString()).isEqualTo("OPEN");
	}

	private static LevelChange keyChange(String key, State state) {
		return new LevelChange(ACCOUNT, key, state, null, null, 0, false);
	}

	@Test
	void postsJsonOfApplication() {
		BlockingQueue<String> requests = new LinkedBlockingQueue<>();
		this.server.createContext("/", (exchange) -> {
			requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
					+ exchange.getRequestHeaders().getFirst("Content-Type"));
			respond(exchange, 200, "ok");
		});
		webhook(WebhookFormat.JSON).onLevelChanged(change(State.PAUSED, false));
		assertThat(next().get("application").asString()).isEqualTo("shop");
		assertThat(requests).containsExactly("POST /hook?token=t0ken application/json; charset=utf-8");
	}

	@Test
	void doesNotHoldUpCallsAndDropsWhatDoesNotFit(CapturedOutput output) {
		this.server.createContext("/", (exchange) -> {
			await(this.release);
			respond(exchange, 200, "ok");
		});
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		for (int i = 0; i < 100; i++) {
			webhook.onLevelChanged(change(State.PAUSED, false));
		}
		assertThat(this.messages).as("nothing was answered yet").isEmpty();
		this.release.countDown();
		next();
		next();
		assertThat(output).containsOnlyOnce("LLM rate limit alerts were dropped because too many waited: ");
	}

	@Test
	void logsStatusButNoSecret(CapturedOutput output) {
		answer(404, "no hook " + SECRET);
		webhook(WebhookFormat.SLACK).onLevelChanged(change(State.PAUSED, false));
		awaitLog(output, "Alert could not be delivered to http://127.0.0.1: it answered with status 404");
	}

	@Test
	void logsCodeOfRefusedMessage(CapturedOutput output) {
		answer(200, "{\"errcode\":310000,\"errmsg\":\"keywords not in content, token " + SECRET + "\"}");
		webhook(WebhookFormat.DINGTALK).onLevelChanged(change(State.PAUSED, false));
		awaitLog(output, "Alert could not be delivered to http://127.0.0.1: it answered with code 310000");
	}

	@Test
	void logsAbsentServer(CapturedOutput output) {
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		this.server.stop(0);
		webhook.onLevelChanged(change(State.PAUSED, false));
		awaitLog(output, "Alert could not be delivered to http://127.0.0.1: ConnectException");
	}

	@Test
	void doesNotWaitForSlowServer(CapturedOutput output) {
		this.server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().write('x');
			exchange.getResponseBody().flush();
			await(this.release);
		});
		AlertWebhook webhook = new AlertWebhook(new Webhook(url(), Duration.ofMillis(100)), WebhookFormat.JSON, null,
				TimeSource.system());
		webhook.onLevelChanged(change(State.PAUSED, false));
		awaitLog(output, "Alert could not be delivered to http://127.0.0.1: it did not answer in time");
	}

	@Test
	void doesNotFollowRedirect(CapturedOutput output) {
		this.server.createContext("/elsewhere", (exchange) -> respond(exchange, 200, "ok"));
		this.server.createContext("/hook", (exchange) -> {
			exchange.getResponseHeaders().set("Location", "/elsewhere?" + SECRET);
			respond(exchange, 307, "");
		});
		webhook(WebhookFormat.JSON).onLevelChanged(change(State.PAUSED, false));
		awaitLog(output, "Alert could not be delivered to http://127.0.0.1: it answered with status 307");
		assertThat(this.messages).hasSize(1);
	}

	@Test
	void deliversWhatWaitsWhenApplicationCloses() {
		this.server.createContext("/", (exchange) -> {
			await(this.release);
			respond(exchange, 200, "ok");
		});
		AlertWebhook webhook = webhook(WebhookFormat.JSON);
		webhook.onLevelChanged(change(State.PAUSED, false));
		webhook.onLevelChanged(change(State.OUT_OF_SERVICE, false));
		webhook.close();
		webhook.onLevelChanged(change(State.OPEN, false));
		this.release.countDown();
		assertThat(next().get("state").asString()).isEqualTo("PAUSED");
		assertThat(next().get("state").asString()).isEqualTo("OUT_OF_SERVICE");
	}

	@Test
	void refusesUrlWithoutHostAndDoesNotRepeatIt() {
		assertThatIllegalArgumentException().isThrownBy(
				() -> new AlertWebhook(URI.create("https:" + SECRET), WebhookFormat.JSON, null, TimeSource.system()))
			.withMessageNotContaining(SECRET);
	}

	private AlertWebhook webhook(WebhookFormat format) {
		return new AlertWebhook(url(), format, "shop", TimeSource.system());
	}

	private URI url() {
		return URI.create("http://127.0.0.1:" + this.server.getAddress().getPort() + "/hook?token=" + SECRET);
	}

	private static LevelChange change(State state, boolean alert) {
		Duration closedFor = (state != State.OPEN) ? Duration.ofMinutes(2) : null;
		return new LevelChange(ACCOUNT, state, "slow down", closedFor, 10, alert);
	}

	private void answer(int status, String body) {
		this.server.createContext("/", (exchange) -> respond(exchange, status, body));
	}

	private void respond(HttpExchange exchange, int status, String answer) throws IOException {
		this.messages.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
		byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(status, (bytes.length > 0) ? bytes.length : -1);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	private JsonNode next() {
		return JsonMapper.shared().readTree(poll(this.messages));
	}

	private static String poll(BlockingQueue<String> queue) {
		try {
			String next = queue.poll(10, TimeUnit.SECONDS);
			assertThat(next).as("something within 10 s").isNotNull();
			return next;
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	/* A webhook of another test may be at work still. */
	private void awaitLog(CapturedOutput output, String expected) {
		String warning;
		do {
			warning = poll(this.warnings);
		}
		while (!expected.equals(warning));
		assertThat(output).doesNotContain(SECRET);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
