package io.github.llmratelimit.provider.vendor;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.provider.ResponseHead;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What providers announce about limits in headers of their own.
 */
class AnnouncedLimitsTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null",
			textBlock = """
					openai   | x-ratelimit-limit-requests=60, x-ratelimit-remaining-requests=59, x-ratelimit-reset-requests=1s | REQUESTS | PT1M | 60 | 59 | PT1S
					openai   | x-ratelimit-limit-requests=200, x-ratelimit-remaining-requests=199, x-ratelimit-reset-requests=7m12s | REQUESTS | PT24H | 200 | 199 | PT7M12S
					openai   | x-ratelimit-limit-tokens=150000, x-ratelimit-remaining-tokens=149984, x-ratelimit-reset-tokens=6m0s | TOKENS | PT1M | 150000 | 149984 | PT6M
					openai   | x-ratelimit-limit-project-tokens=50000, x-ratelimit-remaining-project-tokens=0, x-ratelimit-reset-project-tokens=17ms | TOKENS | PT1M | 50000 | 0 | PT0.017S
					azure-openai | x-ratelimit-remaining-tokens=61353, x-ratelimit-reset-tokens=55           | TOKENS   | PT1M | null  | 61353 | PT55S
					azure-openai | x-ratelimit-limit-requests=79, x-ratelimit-remaining-requests=-1       | REQUESTS | PT1M | 79    | null  | null
					azure-openai | x-rate-limit-limit-tokens=1000, x-rate-limit-reset-tokens=55           | TOKENS   | PT1M | 1000  | null  | PT55S
					anthropic | anthropic-ratelimit-requests-limit=50, anthropic-ratelimit-requests-remaining=49, anthropic-ratelimit-requests-reset=2026-08-31T10:00:01Z | REQUESTS | PT1M | 50 | 49 | PT1S
					anthropic | anthropic-ratelimit-tokens-limit=38000, anthropic-ratelimit-tokens-remaining=38000, anthropic-ratelimit-tokens-reset=2026-08-31T09:59:59Z | TOKENS | PT1M | 38000 | 38000 | PT0S
					anthropic | anthropic-ratelimit-input-tokens-limit=30000, anthropic-ratelimit-input-tokens-remaining=1000, anthropic-ratelimit-input-tokens-reset=2026-08-31T10:00:58Z | INPUT_TOKENS | PT1M | 30000 | 1000 | PT58S
					anthropic | anthropic-ratelimit-output-tokens-limit=8000, anthropic-ratelimit-output-tokens-remaining=7000, anthropic-ratelimit-output-tokens-reset=2026-08-31T10:00:08Z | OUTPUT_TOKENS | PT1M | 8000 | 7000 | PT8S
					groq      | x-ratelimit-limit-requests=14400, x-ratelimit-remaining-requests=14370, x-ratelimit-reset-requests=2m59.56s | REQUESTS | PT24H | 14400 | 14370 | PT2M59.56S
					groq      | x-ratelimit-limit-tokens=18000, x-ratelimit-remaining-tokens=17997, x-ratelimit-reset-tokens=7.66s | TOKENS | PT1M | 18000 | 17997 | PT7.66S
					mistral   | ratelimitbysize-limit=500000, ratelimitbysize-remaining=499900, ratelimitbysize-reset=46 | TOKENS | PT1M | 500000 | 499900 | PT46S
					mistral   | x-ratelimitbysize-limit-minute=500000, x-ratelimitbysize-remaining-minute=499900 | TOKENS | PT1M | 500000 | 499900 | null
					mistral   | x-ratelimit-limit-tokens-minute=500000, x-ratelimit-remaining-tokens-minute=499900 | TOKENS | PT1M | 500000 | 499900 | null
					mistral   | x-ratelimit-limit-req-minute=60, x-ratelimit-remaining-req-minute=59         | REQUESTS | PT1M | 60    | 59    | null
					together  | x-ratelimit-limit=10, x-ratelimit-remaining=9, x-ratelimit-reset=1           | REQUESTS | PT1S | 10    | 9     | PT1S
					together  | x-tokenlimit-limit=3000, x-tokenlimit-remaining=2900                         | TOKENS   | PT1S | 3000  | 2900  | null
					openrouter | x-ratelimit-limit=20, x-ratelimit-remaining=0, x-ratelimit-reset=1788170460000 | REQUESTS | null | 20 | 0  | PT1M
					qianfan   | x-ratelimit-limit-requests=300, x-ratelimit-remaining-requests=299           | REQUESTS | PT1M | 300   | 299   | null
					qianfan   | x-ratelimit-limit-tokens=300000, x-ratelimit-remaining-tokens=298000         | TOKENS   | PT1M | 300000 | 298000 | null
					generic   | x-ratelimit-limit=100, x-ratelimit-remaining=7                               | REQUESTS | null | 100   | 7     | null
					""")
	void announced(String dialect, String headers, Counted counts, Duration per, Long limit, Long remaining,
			Duration reset) {
		assertThat(Dialects.named(dialect).observe(head(headers)).limits())
			.containsExactly(new Observed(counts, per, limit, remaining, reset));
	}

	@Test
	void looksUpEachHeaderOnce() {
		Dialects.builtIn().forEach((name, dialect) -> {
			Map<String, Integer> lookUps = new HashMap<>();
			dialect.observe(new ResponseHead(200, (header) -> {
				lookUps.merge(header, 1, Integer::sum);
				return null;
			}));
			assertThat(lookUps.values()).as(name).allMatch((count) -> count == 1);
			assertThat(lookUps).as(name).hasSizeLessThan(16);
		});
	}

	private static ResponseHead head(String headers) {
		Map<String, String> values = new HashMap<>(Map.of("date", "Mon, 31 Aug 2026 10:00:00 GMT"));
		for (String header : headers.split(", ")) {
			values.put(header.split("=")[0], header.split("=")[1]);
		}
		return new ResponseHead(200, values::get);
	}

}
