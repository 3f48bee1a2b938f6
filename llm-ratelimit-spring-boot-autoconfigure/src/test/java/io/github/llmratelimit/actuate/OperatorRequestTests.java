package io.github.llmratelimit.actuate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what an operator may write, if that is allowed, over HTTP.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, classes = RateLimitEndpointTests.Application.class,
		properties = { "management.endpoints.web.exposure.include=ratelimit,health",
				"management.endpoint.health.show-details=always", "management.endpoint.ratelimit.access=unrestricted",
				"llm.ratelimit.providers.acme.base-urls=https://api.acme.example",
				"llm.ratelimit.providers.idle.base-urls=https://idle.example",
				"llm.ratelimit.providers.acme.limits.requests-per-minute=20",
				"llm.ratelimit.providers.acme.models.small.match=mini*",
				"llm.ratelimit.providers.acme.models.small.limits.tokens-per-minute=2000" })
@AutoConfigureWebTestClient
class OperatorRequestTests {

	@Autowired
	private WebTestClient client;

	@Test
	void setsALimitAndRemovesIt() {
		post("idle", "{'action': 'set', 'limit': 'max-concurrency', 'value': 7}").expectStatus().isOk();
		post("acme", "{'action': 'set', 'limit': 'requests-per-minute', 'value': 30}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.accounts.default.limits[0].limit")
			.isEqualTo(30)
			.jsonPath("$.accounts.default.limits[0].used")
			.isEqualTo(2);
		post("acme", "{'action': 'remove', 'limit': 'tokens-per-minute', 'model': 'small'}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.accounts.default.models.small.limits")
			.isEmpty();
	}

	@Test
	void pausesAndResumes() {
		post("idle", "{'action': 'pause', 'account': 'default', 'duration': '10m', 'cause': 'migration'}")
			.expectStatus()
			.isOk()
			.expectBody()
			.json("""
					{"accounts": {"default": {"state": "PAUSED", "cause": "paused by an operator: migration",
					  "coolingDownUntil": "2026-01-02T03:14:05Z"}}}
					""");
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectBody()
			.jsonPath("$.components.llmRatelimit.status")
			.isEqualTo("DEGRADED")
			.jsonPath("$.components.llmRatelimit.details.idle.cause")
			.isEqualTo("paused by an operator: migration");
		post("idle", "{'action': 'resume'}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.accounts.default.state")
			.isEqualTo("OPEN");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			none | {'action': 'resume'}                                             | provider: none
			acme | {'action': 'resume', 'account': 'none'}                          | account: none
			acme | {'action': 'set', 'limit': 'none', 'value': 1}                   | requests-per-minute
			acme | {'action': 'set', 'limit': 'requests-per-minute', 'value': 0}    | value: 0
			acme | {'action': 'set', 'limit': 'requests-per-minute'}                | value: null
			acme | {'action': 'set', 'limit': 'max-concurrency', 'value': 5000000000} | value: 5000000000
			acme | {'action': 'remove', 'model': 'none', 'limit': 'x'}              | model: none
			acme | {'action': 'pause', 'model': 'small'}                            | model: small
			acme | {'action': 'pause', 'duration': '0s'}                            | length: PT0S
			""", quoteCharacter = '"')
	void saysWhatIsWrong(String provider, String body, String problem) {
		post(provider, body).expectStatus()
			.isBadRequest()
			.expectBody(String.class)
			.value((answer) -> assertThat(answer).startsWith("{\"message\":\"").contains(problem));
	}

	private WebTestClient.ResponseSpec post(String provider, String body) {
		return this.client.post()
			.uri("/actuator/ratelimit/" + provider)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body.replace('\'', '"'))
			.exchange();
	}

}
