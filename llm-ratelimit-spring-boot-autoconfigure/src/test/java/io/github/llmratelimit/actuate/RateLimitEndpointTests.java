package io.github.llmratelimit.actuate;

import java.time.Duration;
import java.time.Instant;

import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.time.TimeSource;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.test.json.JsonCompareMode;
import org.springframework.test.web.reactive.server.WebTestClient;

/**
 * Tests for {@link RateLimitEndpoint} and {@link RateLimitHealthIndicator} over HTTP.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=ratelimit,health",
				"management.endpoint.health.show-details=always",
				"llm.ratelimit.providers.acme.base-urls=https://api.acme.example",
				"llm.ratelimit.providers.idle.base-urls=https://idle.example",
				"llm.ratelimit.providers.unused.base-urls=https://unused.example",
				"llm.ratelimit.providers.unused.mode=off", "llm.ratelimit.providers.acme.limits.requests-per-minute=20",
				"llm.ratelimit.providers.acme.models.small.match=mini*",
				"llm.ratelimit.providers.acme.models.small.limits.tokens-per-minute=2000" })
@AutoConfigureWebTestClient
class RateLimitEndpointTests {

	private static final Duration COOLDOWN = Duration.ofSeconds(5);

	private static final String INTEGRATIONS = """
			["anthropic-java", "langchain4j", "okhttp", "openai-java", "resilience4j", "restclient", "spring-ai-anthropic",
			 "spring-ai-openai", "webclient"]""";

	private static final String IDLE = """
			{"dialect": "generic", "mode": "enforce", "integrations": INTEGRATIONS,
			 "waiting": {"interactive": 0, "normal": 0, "batch": 0},
			 "accounts": {"default": {"state": "OPEN", "cause": null, "coolingDownUntil": null,
			   "consecutiveThrottles": 0, "inFlight": 0, "keys": [], "limits": [], "models": {}}}}
			""".replace("INTEGRATIONS", INTEGRATIONS);

	private static final String OFF = """
			{"dialect": "generic", "mode": "off", "integrations": INTEGRATIONS,
			 "waiting": {"interactive": 0, "normal": 0, "batch": 0}, "accounts": {}}
			""".replace("INTEGRATIONS", INTEGRATIONS);

	private static final String ACME = """
			{"dialect": "generic", "mode": "enforce", "integrations": INTEGRATIONS,
			 "waiting": {"interactive": 0, "normal": 0, "batch": 0},
			 "accounts": {"default": {"state": "COOLING_DOWN", "cause": "slow down",
			   "coolingDownUntil": "2026-01-02T03:04:10Z", "consecutiveThrottles": 1, "inFlight": 1, "keys": [],
			   "limits": [{"name": "requests-per-minute", "counts": "requests", "per": "PT1M",
			     "algorithm": "sliding-window", "limit": 20, "effectiveLimit": 19, "used": 2, "remaining": 17,
			     "utilization": 0.105, "source": "CONFIGURED"}],
			   "models": {"small": {"state": "OPEN", "cause": null, "coolingDownUntil": null,
			     "consecutiveThrottles": 0, "inFlight": 1,
			     "limits": [{"name": "tokens-per-minute", "counts": "tokens", "per": "PT1M",
			       "algorithm": "sliding-window", "limit": 2000, "effectiveLimit": 1900, "used": 950,
			       "remaining": 950, "utilization": 0.5, "source": "CONFIGURED"}]}}}}}
			""".replace("INTEGRATIONS", INTEGRATIONS);

	@Autowired
	private WebTestClient client;

	@Test
	void showsAllProviders() {
		get("/actuator/ratelimit").expectBody()
			.json("{\"providers\": {\"acme\": %s, \"idle\": %s, \"unused\": %s}}".formatted(ACME, IDLE, OFF),
					JsonCompareMode.STRICT);
	}

	@Test
	void showsOneProvider() {
		get("/actuator/ratelimit/acme").expectBody().json(ACME, JsonCompareMode.STRICT);
	}

	@Test
	void doesNotFindUnknownProvider() {
		this.client.get().uri("/actuator/ratelimit/none").exchange().expectStatus().isNotFound();
	}

	@Test
	void allowsNothingButReading() {
		for (HttpMethod method : new HttpMethod[] { HttpMethod.POST, HttpMethod.DELETE }) {
			this.client.method(method)
				.uri("/actuator/ratelimit/acme")
				.exchange()
				.expectStatus()
				.isEqualTo(HttpStatus.METHOD_NOT_ALLOWED);
		}
	}

	@Test
	void showsHealth() {
		get("/actuator/health").expectBody()
			.json("""
					{"status": "UP", "components": {"llmRatelimit": {"status": "UP",
					  "details": {"acme": {"state": "COOLING_DOWN", "waiting": 0}, "idle": {"state": "OPEN", "waiting": 0}}}}}
					""");
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.get().uri(path).exchange().expectStatus().isOk();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		TimeSource stoppedTime() {
			return new StoppedTime();
		}

		@Bean
		ApplicationRunner twoCallsOneOfThemRefused(LlmRateLimiter limiter) {
			return (arguments) -> {
				limiter.acquire(LlmCall.to("acme").withModel("mini-1").withTokens(900, 50)).block();
				Permit refused = limiter.acquire(LlmCall.to("acme")).block();
				refused.refuse(ThrottleSignal.throttled(Tripped.REQUESTS, COOLDOWN, "slow down"),
						Cooldown.of(COOLDOWN));
			};
		}

	}

	/**
	 * A time that does not pass.
	 */
	private static final class StoppedTime implements TimeSource {

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public Instant now() {
			return Instant.parse("2026-01-02T03:04:05Z");
		}

		@Override
		public Scheduler scheduler() {
			return Schedulers.parallel();
		}

	}

}
