package io.github.llmratelimit.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A wrong property stops the start of an application, and the log names the property, the
 * value, its origin and the remedy.
 */
@ExtendWith(OutputCaptureExtension.class)
class MisconfigurationTests {

	private static final String ACME = "llm.ratelimit.providers.acme.";

	private static final String ACME_URL = ACME + "base-urls=https://api.acme.example";

	@ParameterizedTest
	@MethodSource
	void namesWrongValue(List<String> properties, String property, String value, String reason, String remedy,
			CapturedOutput output) {
		fail(properties);
		assertThat(output).contains("Property: " + property).contains(reason).contains(remedy);
		if (value != null) {
			assertThat(output).contains("Value: \"" + value + "\"").contains("Origin: ");
		}
	}

	static Stream<Arguments> namesWrongValue() {
		return Stream.of(
				wrong("limits.requests-per-minute=0", "0", "must be greater than 0",
						"Set " + ACME + "limits.requests-per-minute to the ceiling the provider grants you"),
				wrong("limits.tokens-per-day=-5", "-5", "must be greater than 0", "or remove it if there is none"),
				wrong("limits.max-concurrency=0", "0", "must be greater than 0", "max-concurrency"),
				wrong("limits.requests-per-minute=many", "many", "failed to convert", "Update your application"),
				wrong("models.small.limits.requests-per-minute=0", "0", "must be greater than 0", "models.small"),
				wrong("accounts.b.limits.requests-per-minute=0", "0", "must be greater than 0", "accounts.b"),
				wrong("queue.max-wait.batch=soon", "soon", "'soon' is not a valid duration", "Update your application"),
				wrong("queue.max-wait.batch=-1s", "-1s", "must not be negative", "to a duration such as 10s"),
				wrong("queue.capacity=0", "0", "must be greater than 0", "number of calls that may wait at once"),
				wrong("queue.interactive-headroom=100%", "1.0", "must be at least 0 % and below 100 %",
						"a share such as 10%"),
				wrong("queue.low-priority-share=-5%", "-0.05", "must be at least 0 % and below 100 %", "to 0 for none"),
				wrong("queue.low-priority-share=some", "some", "is no share", "such as 80% or 0.8"),
				wrong("backoff.max-attempts=0", "0", "must be greater than 0", "to 1 for no retry"),
				wrong("backoff.base-delay=0s", "0s", "must be longer than 0", "to a duration such as 10s"),
				wrong("backoff.multiplier=0.5", "0.5", "must be at least 1", "2 doubles the wait"),
				wrong("backoff.max-delay=10ms", "10ms", "must not be shorter than base-delay, which is 1s",
						"Raise max-delay or lower base-delay"),
				wrong("backoff.statuses=200", "200", "400 to 599", "[429]"),
				wrong("backoff.recheck-after=0s", "0s", "must be longer than 0", "to a duration such as 10s"),
				wrong("backoff.pause-ladder[0].after=0", "0", "must be greater than 0", "{after: 5, pause: 30s}"),
				wrong("backoff.scope=model", "model", "failed to convert", "ACCOUNT"),
				wrong("backoff.retry-on=500,often", "often", "statuses or connection-lost",
						"[500, 502, connection-lost]"),
				wrong("backoff.jitter=some", "some", "failed to convert", "EQUAL"),
				wrong("adaptive.start=0%", "0.0", "must be above 0 % and at most 100 %", "to a share such as 80%"),
				wrong("adaptive.start=200%", "2.0", "must be above 0 % and at most 100 %", "to a share such as 80%"),
				wrong("adaptive.increase=0", "0.0", "must be above 0 % and at most 100 %", "to a share such as 2%"),
				wrong("adaptive.decrease=100%", "1.0", "must be above 0 % and below 100 %", "to a share such as 30%"),
				wrong("adaptive.decrease=much", "much", "'much' is no share (expected: such as 80% or 0.8)", "Update"),
				wrong("adaptive.every=0s", "0s", "must be longer than 0", "to a duration such as 10s"),
				wrong("tokens.history=-1", "-1", "must not be negative", "to 0 to learn nothing"),
				wrong("tokens.output-quantile=0", "0.0", "must be above 0 and at most 1", "for example 0.9"),
				wrong("tokens.output-quantile=1.1", "1.1", "must be above 0 and at most 1", "for example 0.9"),
				wrong("tokens.output-factor=-1", "-1.0", "must be between 0 and 1000", "for example 3"),
				wrong("tokens.estimator=exact", "exact", "failed to convert", "HEURISTIC"),
				wrong("tokens.reserve-output=all", "all", "failed to convert", "MAX_TOKENS"),
				wrong("safety-margin=0", "0.0", "must be above 0 and at most 1", "for example 0.95"),
				wrong("safety-margin=95", "95.0", "must be above 0 and at most 1", "for example 0.95"),
				wrong("burst=0s", "0s", "must be longer than 0", "burst"),
				wrong("window-slack=-1s", "-1s", "must not be negative", "window-slack"),
				wrong("permit-timeout=0s", "0s", "must be longer than 0", "permit-timeout"),
				wrong("dialect=opnai", "opnai", "is not a dialect", "Did you mean openai? The dialects are: "),
				wrong("dialect=bedrock-converse", "bedrock-converse", "is not a dialect", "The dialects are: "));
	}

	@ParameterizedTest
	@MethodSource("baseUrls")
	void namesMalformedBaseUrl(String url, String printed, String reason, CapturedOutput output) {
		fail(List.of(ACME + "base-urls[0]=" + url));
		assertThat(output).contains("Property: " + ACME + "base-urls[0]")
			.contains("Value: \"" + printed + "\"")
			.contains(reason)
			.contains("https://api.example.com/v1");
	}

	static Stream<Arguments> baseUrls() {
		return Stream.of(arguments("api.acme.example", "api.acme.example", "must begin with https:// or http://"),
				arguments("https://", "https://", "is not a URL"), arguments("ht tp://x", "ht tp://x", "is not a URL"),
				arguments("https:///v1", "https:///v1", "has no host"),
				arguments("https://x/v1?a=b", "https://x/v1?a=b", "must end with its path"),
				arguments("https://me:secret@x", "https://******@x", "must not contain credentials"));
	}

	@ParameterizedTest
	@CsvSource({ "hooks.example.com/t0ken, must begin with https:// or http://", "https:t0ken, has no host",
			"ftp://hooks.example.com/t0ken, must begin with https:// or http://", "https://x/a t0ken, is not a URL",
			"https://me:t0ken@hooks.example.com, must not contain credentials" })
	void namesFlawOfWebhookUrlButNotItsSecret(String url, String reason, CapturedOutput output) {
		fail(List.of("llm.ratelimit.alerts.webhook-url=" + url));
		assertThat(output).contains("Property: llm.ratelimit.alerts.webhook-url")
			.contains("Value: \"******\"")
			.contains("Reason: " + reason)
			.contains("Write the whole URL as the service shows it")
			.doesNotContain("t0ken");
	}

	@Test
	void namesUnknownFormatOfAlerts(CapturedOutput output) {
		fail(List.of("llm.ratelimit.alerts.format=teams"));
		assertThat(output).contains("Property: llm.ratelimit.alerts.format").contains("teams").contains("DINGTALK");
	}

	@Test
	void namesMissingBaseUrl(CapturedOutput output) {
		fail(List.of(ACME + "limits.requests-per-second=50"));
		assertThat(output).contains("Property: " + ACME + "base-urls")
			.contains("must be set, because the dialect generic has no URL of its own")
			.contains("Set " + ACME + "base-urls to the URLs below which the provider is found");
	}

	@Test
	void namesBaseUrlOfTwoProviders(CapturedOutput output) {
		fail(List.of(ACME_URL + "/", "llm.ratelimit.providers.other.base-urls=HTTPS://api.acme.example:443"));
		assertThat(output).contains("is also a base URL of the provider ").contains("accounts of one provider");
	}

	@Test
	void namesModelGroupWithoutMatch(CapturedOutput output) {
		fail(List.of(ACME_URL, ACME + "models.small.limits.requests-per-minute=5"));
		assertThat(output).contains("Property: " + ACME + "models.small.match")
			.contains("must name at least one model")
			.contains("models.small.match: [\"gpt-4o-mini*\"]");
	}

	@ParameterizedTest
	@MethodSource
	void namesWrongWindow(Map<String, String> window, String key, String reason, String remedy, CapturedOutput output) {
		fail(Stream
			.concat(Stream.of(ACME_URL),
					window.entrySet()
						.stream()
						.map((entry) -> ACME + "limits.windows[0]." + entry.getKey() + "=" + entry.getValue()))
			.toList());
		assertThat(output).contains("Property: " + ACME + "limits.windows[0]." + key).contains(reason).contains(remedy);
	}

	static Stream<Arguments> namesWrongWindow() {
		return Stream.of(
				arguments(Map.of("limit", "5", "per", "1s"), "counts", "must be set", "requests, tokens, input-tokens"),
				arguments(Map.of("counts", "requests", "per", "1s"), "limit", "must be set", "how much fits"),
				arguments(Map.of("counts", "requests", "limit", "5"), "per", "must be set", "for example 10s"),
				arguments(Map.of("counts", "requests", "limit", "0", "per", "1s"), "limit", "must be greater than 0",
						"or remove it"),
				arguments(Map.of("counts", "requests", "limit", "5", "per", "0s"), "per", "must be longer than 0",
						"such as 10s"),
				arguments(Map.of("counts", "requests", "limit", "5", "per", "1h", "resets-at", "00:00"), "per",
						"must be 1d", "Set per to 1d"),
				arguments(Map.of("counts", "requests", "limit", "5", "per", "1d", "resets-at", "00:00", "algorithm",
						"token-bucket"), "algorithm", "does not reset", "Remove algorithm"),
				arguments(
						Map.of("counts", "requests", "limit", "5", "per", "1d", "resets-at",
								"00:00 America/Los_Angles"),
						"resets-at", "Unknown time-zone ID: America/Los_Angles", "\"00:00 America/Los_Angeles\""),
				arguments(Map.of("counts", "requests", "limit", "5", "per", "1d", "resets-at", "midnight"), "resets-at",
						"is not a time of day", "\"00:00 "));
	}

	@Test
	void namesSecondWindowOfSameLength(CapturedOutput output) {
		String windows = ACME + "limits.windows";
		fail(List.of(ACME_URL, windows + "[0].counts=requests", windows + "[0].limit=5", windows + "[0].per=60s",
				windows + "[1].counts=requests", windows + "[1].limit=6", windows + "[1].per=1m"));
		assertThat(output).contains("Property: " + windows + "[1].per")
			.contains("is the length of another window that counts requests");
	}

	@ParameterizedTest
	@MethodSource
	void namesUnknownKey(String property, String reason, String remedy, CapturedOutput output) {
		fail(List.of(ACME_URL, property + "=5"));
		assertThat(output).contains("Property: " + property)
			.contains("Value: \"5\"")
			.contains("Origin: ")
			.contains(reason)
			.contains(remedy);
	}

	static Stream<Arguments> namesUnknownKey() {
		return Stream.of(
				arguments(ACME + "limits.request-per-minute",
						"\"request-per-minute\" is not a key of llm.ratelimit.providers.acme.limits",
						"Did you mean llm.ratelimit.providers.acme.limits.requests-per-minute?"),
				arguments(ACME + "limts.requests-per-minute", "\"limts\" is not a key of llm.ratelimit.providers.acme",
						"Did you mean llm.ratelimit.providers.acme.limits?"),
				arguments(ACME + "requests-per-minute", "is not a key of llm.ratelimit.providers.acme",
						"The keys of llm.ratelimit.providers.acme are: dialect, mode, base-urls, limits"),
				arguments(ACME + "models.small.limits.rpm", "\"rpm\" is not a key", "requests-per-minute"),
				arguments("llm.ratelimit.provider.acme.mode", "\"provider\" is not a key of llm.ratelimit",
						"Did you mean llm.ratelimit.providers?"),
				arguments("llm.ratelimit.defaults.mode.x", "\"x\" is not a key of llm.ratelimit.defaults.mode",
						"is a single value"));
	}

	@Test
	void doesNotPrintUrlOfMisspelledWebhook(CapturedOutput output) {
		fail(List.of("llm.ratelimit.alerts.webhok-url=http://h/t0ken"));
		assertThat(output).contains("Did you mean llm.ratelimit.alerts.webhook-url?").doesNotContain("t0ken");
	}

	@ParameterizedTest
	@ValueSource(strings = { "api-key=sk-1", "auth=Bearer sk-1234567890abcdef" })
	void doesNotPrintWhatMayBeSecret(String property, CapturedOutput output) {
		fail(List.of(ACME_URL, ACME + property));
		assertThat(output).contains("Value: \"******\"").doesNotContain("sk-1");
	}

	@Test
	void leavesKnownKeyOutOfOrderToSpringBoot(CapturedOutput output) {
		fail(List.of(ACME_URL, ACME + "limits.windows[1].limit=5"));
		assertThat(output).contains("windows[1].limit] were left unbound");
	}

	@Test
	void namesValueWhereItIsInherited(CapturedOutput output) {
		fail(List.of(ACME_URL, "llm.ratelimit.defaults.safety-margin=7"));
		assertThat(output).containsOnlyOnce("Property: llm.ratelimit.defaults.safety-margin");
	}

	@Test
	void namesEverythingThatIsWrong(CapturedOutput output) {
		fail(List.of(ACME_URL, ACME + "limits.requests-per-minute=0", ACME + "queue.capacity=0"));
		assertThat(output).contains("Property: " + ACME + "limits.requests-per-minute")
			.contains("Property: " + ACME + "queue.capacity");
	}

	@Test
	void stopsStartAlsoIfBeansAreLazy(CapturedOutput output) {
		fail(List.of(ACME_URL, ACME + "queue.capacity=0", "spring.main.lazy-initialization=true"));
		assertThat(output).contains("Property: " + ACME + "queue.capacity");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nam", "key" })
	void leavesUnknownKeysOfOthersToSpringBoot(String key, CapturedOutput output) {
		assertThatException().isThrownBy(() -> run(Strict.class, List.of("strict." + key + "=x")));
		assertThat(output).contains("[strict." + key + "] were left unbound").doesNotContain("LLM");
	}

	@Test
	void startsIfSwitchedOffWhateverElseIsWrong() {
		assertThat(run(Application.class, List.of("llm.ratelimit.enabled=false", ACME + "queue.capacity=0")))
			.isNotNull();
	}

	private static Arguments wrong(String property, String value, String reason, String remedy) {
		return arguments(List.of(ACME_URL, ACME + property), ACME + property.substring(0, property.indexOf('=')), value,
				reason, remedy);
	}

	private static void fail(List<String> properties) {
		assertThatException().isThrownBy(() -> run(Application.class, properties));
	}

	private static ConfigurableApplicationContext run(Class<?> application, List<String> properties) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
			.web(WebApplicationType.NONE)
			.run(properties.stream().map((property) -> "--" + property).toArray(String[]::new))) {
			return context;
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LlmRateLimitAutoConfiguration.class, LlmRateLimitAlertsAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(StrictProperties.class)
	static class Strict {

	}

	@ConfigurationProperties(prefix = "strict", ignoreUnknownFields = false)
	record StrictProperties(String name) {

	}

}
