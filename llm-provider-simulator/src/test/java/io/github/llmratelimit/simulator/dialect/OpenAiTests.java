package io.github.llmratelimit.simulator.dialect;

import java.time.Instant;

import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OpenAi}.
 */
class OpenAiTests {

	private static final Levels LEVELS = new Levels(new Levels.Level(60, 59, 1_000_000_000),
			new Levels.Level(150_000, 149_984, 6_000_000));

	@Test
	void saysTokensLikeOpenAi() {
		assertThat(body(new Refusal(Cause.TOKENS, 455_400_000, 10_000, 5775, 4301, LEVELS))).isEqualTo(
				"""
						{"error":{"message":"Rate limit reached for gpt-4o in organization org-simulated on tokens per min (TPM): \
						Limit 10000, Used 5775, Requested 4301. Please try again in 456ms.",\
						"type":"tokens","param":null,"code":"rate_limit_exceeded"}}""");
	}

	@Test
	void saysRequestsLikeOpenAi() {
		assertThat(body(new Refusal(Cause.REQUESTS, 20_000_000_000L, 3, 3, 1, LEVELS))).isEqualTo(
				"""
						{"error":{"message":"Rate limit reached for gpt-4o in organization org-simulated on requests per min (RPM): \
						Limit 3, Used 3, Requested 1. Please try again in 20s.",\
						"type":"requests","param":null,"code":"rate_limit_exceeded"}}""");
	}

	@Test
	void saysTooLargeLikeOpenAi() {
		assertThat(body(new Refusal(Cause.TOO_LARGE, 0, 30_000, 0, 30_601, LEVELS))).isEqualTo(
				"""
						{"error":{"message":"Request too large for gpt-4o in organization org-simulated on tokens per min (TPM): \
						Limit 30000, Requested 30601. The input or output tokens must be reduced in order to run successfully.",\
						"type":"tokens","param":null,"code":"rate_limit_exceeded"}}""");
	}

	@Test
	void saysConcurrencyAndBan() {
		assertThat(body(new Refusal(Cause.CONCURRENCY, 0, 5, 5, 1, LEVELS)))
			.contains("Concurrency limit reached for requests");
		assertThat(body(new Refusal(Cause.BANNED, 60_000_000_000L, 0, 0, 1, LEVELS))).contains("1m0s",
				"account_banned");
	}

	private static String body(Refusal refusal) {
		return new OpenAi().refusal(refusal, "gpt-4o").body().toString();
	}

	@Test
	void announcesLevels() {
		assertThat(new OpenAi().levels(LEVELS, Instant.EPOCH)).containsEntry("x-ratelimit-limit-requests", "60")
			.containsEntry("x-ratelimit-remaining-requests", "59")
			.containsEntry("x-ratelimit-reset-requests", "1s")
			.containsEntry("x-ratelimit-limit-tokens", "150000")
			.containsEntry("x-ratelimit-remaining-tokens", "149984")
			.containsEntry("x-ratelimit-reset-tokens", "6ms")
			.hasSize(6);
		assertThat(new OpenAi().levels(new Levels(null, null), Instant.EPOCH)).isEmpty();
	}

	@Test
	void roundsHintsUp() {
		assertThat(new OpenAi().hint(1_200_000_001)).containsEntry("retry-after-ms", "1201")
			.containsEntry("retry-after", "2")
			.hasSize(2);
	}

}
