package io.github.llmratelimit.provider;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.provider.vendor.Dialects;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What responses announce about limits.
 */
class ObservedLimitsTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void openAiHeaders() {
		Map<String, String> headers = Map.of("x-ratelimit-limit-requests", "60", "x-ratelimit-remaining-requests", "59",
				"x-ratelimit-reset-requests", "1s", "x-ratelimit-limit-tokens", "150000",
				"x-ratelimit-remaining-tokens", "149984", "x-ratelimit-reset-tokens", "6ms",
				"x-ratelimit-limit-project-tokens", "50000", "x-ratelimit-remaining-project-tokens", "49000",
				"x-ratelimit-reset-project-tokens", "1.2s");
		assertThat(observe(Dialects.named("openai"), headers).limits()).containsExactly(
				new Observed(Counted.REQUESTS, MINUTE, 60L, 59L, Duration.ofSeconds(1)),
				new Observed(Counted.TOKENS, MINUTE, 150_000L, 149_984L, Duration.ofMillis(6)),
				new Observed(Counted.TOKENS, MINUTE, 50_000L, 49_000L, Duration.ofMillis(1200)));
	}

	@Test
	void absentIsUnknown() {
		assertThat(observe(Dialects.named("openai"), Map.of("x-ratelimit-remaining-tokens", "61353")).limits())
			.containsExactly(new Observed(Counted.TOKENS, MINUTE, null, 61_353L, null));
		assertThat(observe(Dialects.named("openai"), Map.of())).isSameAs(ObservedLimits.NONE);
		assertThat(observe(Dialects.named("openai"), Map.of("x-ratelimit-reset-tokens", "0")))
			.isSameAs(ObservedLimits.NONE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "", "many", "1e9", "99999999999999999999", "60s", "0x3c" })
	void malformedIsUnknown(String value) {
		Map<String, String> headers = Map.of("x-ratelimit-limit-requests", value, "x-ratelimit-remaining-requests",
				value, "x-ratelimit-reset-requests", "0");
		assertThat(observe(Dialects.named("openai"), headers)).isSameAs(ObservedLimits.NONE);
	}

	/** A limit that is refilled continuously betrays its window. */
	@ParameterizedTest
	@CsvSource({ "200,199,7m12s,P1D", "200,0,24h,P1D", "3,2,20s,PT1M", "10000,9999,6ms,PT1M", "5000,4900,72s,PT1H",
			"5000,4999,720ms,PT1M", "60,59,60s,PT1M", "1440,1439,60s,PT1M", "60,60,0s,PT1M", "150000,149984,6m0s,PT1M",
			"60,59,,PT1M" })
	void windowOfRequests(String limit, String remaining, String reset, Duration window) {
		Map<String, String> headers = new HashMap<>();
		headers.put("x-ratelimit-limit-requests", limit);
		headers.put("x-ratelimit-remaining-requests", remaining);
		headers.put("x-ratelimit-reset-requests", reset);
		assertThat(observe(Dialects.named("openai"), headers).limits()).singleElement()
			.extracting(Observed::per)
			.isEqualTo(window);
	}

	@Test
	void headersWithoutUnit() {
		assertThat(observe(DialectTable.generic(),
				Map.of("x-ratelimit-limit", "20", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "30"))
			.limits()).containsExactly(new Observed(Counted.REQUESTS, null, 20L, 0L, Duration.ofSeconds(30)));
	}

	@Test
	void ceilingsInAList() {
		assertThat(observe(DialectTable.generic(),
				Map.of("x-ratelimit-limit", "1000, 1000;w=1, 60000;w=60", "x-ratelimit-remaining", "998",
						"x-ratelimit-reset", "1"))
			.limits())
			.containsExactly(new Observed(Counted.REQUESTS, Duration.ofSeconds(1), 1000L, 998L, Duration.ofSeconds(1)),
					new Observed(Counted.REQUESTS, MINUTE, 60_000L, null, null));
		assertThat(observe(DialectTable.generic(),
				Map.of("ratelimit-limit", "100, 100;w=10", "ratelimit-remaining", "50", "ratelimit-reset", "5"))
			.limits())
			.containsExactly(new Observed(Counted.REQUESTS, Duration.ofSeconds(10), 100L, 50L, Duration.ofSeconds(5)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "null",
			textBlock = """
					"burst";r=0;t=30                | "burst";q=100;w=60,"daily";q=1000;w=86400 | 100  | 0    | PT30S | PT1M
					"daily";r=999;t=80000           | "burst";q=100;w=60, "daily";q=1000;w=86400 | 1000 | 999 | PT80000S | P1D
					"default";r=50;t=30             | null                                      | null | 50   | PT30S | null
					"default"; r=50; pk=:dGVzdA==:  | "default";q=60;w=60;qu="requests"         | 60   | 50   | null  | PT1M
					"a,b;c=\\"1";r=50;t=30            | "a,b;c=\\"1";q=60;w=60                       | 60   | 50   | PT30S | PT1M
					"default";r=50;t=30             | "default";q=sixty;w=60                      | null | 50   | PT30S | null
					limit=100, remaining=50, reset=5 | 100;w=10                                 | 100  | 50   | PT5S  | PT10S
					limit=100,remaining=50,reset=5  | null                                      | 100  | 50   | PT5S  | null
					limit=100, remaining=50, reset=5 | "daily";q=100;w=86400                    | 100  | 50   | PT5S  | P1D
					""")
	void rateLimitField(String field, String policy, Long limit, long remaining, Duration reset, Duration per) {
		assertThat(observeFields(field, policy).limits())
			.contains(new Observed(Counted.REQUESTS, per, limit, remaining, reset));
	}

	@Test
	void policiesOfWhichNothingIsSaidAreCeilings() {
		assertThat(observeFields("\"burst\";r=5;t=1", "\"burst\";q=10;w=1,\"daily\";q=1000;w=86400").limits())
			.containsExactly(new Observed(Counted.REQUESTS, Duration.ofSeconds(1), 10L, 5L, Duration.ofSeconds(1)),
					new Observed(Counted.REQUESTS, Duration.ofDays(1), 1000L, null, null));
		assertThat(observeFields(null, "\"burst\";q=10;w=1").limits())
			.containsExactly(new Observed(Counted.REQUESTS, Duration.ofSeconds(1), 10L, null, null));
		assertThat(observeFields("limit=10, remaining=3, reset=1", "10;w=1, 50;w=60").limits()).containsExactly(
				new Observed(Counted.REQUESTS, Duration.ofSeconds(1), 10L, 3L, Duration.ofSeconds(1)),
				new Observed(Counted.REQUESTS, MINUTE, 50L, null, null));
	}

	/** The three fields of draft -06, with the policy apart. */
	@Test
	void threeFieldsAndPolicy() {
		assertThat(observe(DialectTable.generic(),
				Map.of("ratelimit-limit", "10", "ratelimit-remaining", "9", "ratelimit-reset", "1", "ratelimit-policy",
						"10;w=1, 50;w=60"))
			.limits())
			.containsExactly(new Observed(Counted.REQUESTS, Duration.ofSeconds(1), 10L, 9L, Duration.ofSeconds(1)),
					new Observed(Counted.REQUESTS, MINUTE, 50L, null, null));
	}

	@Test
	void quotaUnitsThatWeCount() {
		assertThat(observeFields("\"t\";r=5;t=1", "\"t\";q=1000;w=60;qu=\"tokens\"").limits())
			.containsExactly(new Observed(Counted.TOKENS, MINUTE, 1000L, 5L, Duration.ofSeconds(1)));
	}

	@Test
	void severalLimitsInOneField() {
		assertThat(observeFields("\"burst\";r=5;t=1, \"daily\";r=900;t=3600",
				"\"burst\";q=10;w=1,\"daily\";q=1000;w=86400")
			.limits()).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"default\";r=abc;t=", "\"default\";r=-1", "\"default\";t=5", "default;r=5", "\"a\";r=5,",
			"5", "\"a\";r=1;r", "\"a\";;r=1", ";", ",", "\"\";r=1", "limit=100, remaining=x", "=", "\"a\"=1",
			"\"a\";r=1.5", "\"a;r=1", "\"a\\\\", ":a;r=1", "\"a\";r=1 x", "limit=, remaining=5",
			"limit=1, remaining=1, reset=x", "5;r=1" })
	void malformedFieldIsIgnoredAsAWhole(String field) {
		assertThat(observeFields(field, null)).isSameAs(ObservedLimits.NONE);
	}

	@Test
	void limitsOfOtherUnitsAreNotRequests() {
		assertThat(observeFields("\"bytes\";r=5;t=1", "\"bytes\";q=1000;w=60;qu=\"content-bytes\""))
			.isSameAs(ObservedLimits.NONE);
	}

	@Test
	void hugeFieldIsIgnored() {
		assertThat(observeFields("\"a\";r=1,".repeat(100_000) + "\"a\";r=1", null)).isSameAs(ObservedLimits.NONE);
	}

	private static ObservedLimits observeFields(String field, String policy) {
		Map<String, String> headers = new HashMap<>();
		headers.put("ratelimit", field);
		headers.put("ratelimit-policy", policy);
		return observe(DialectTable.generic(), headers);
	}

	private static ObservedLimits observe(ProviderDialect dialect, Map<String, String> headers) {
		return dialect.observe(new ResponseHead(200, headers::get));
	}

}
