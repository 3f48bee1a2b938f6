package io.github.llmratelimit.simulator;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import io.github.llmratelimit.simulator.SimulatorOptions.Headers;
import io.github.llmratelimit.simulator.dialect.Conversation;
import io.github.llmratelimit.simulator.dialect.Levels;
import io.github.llmratelimit.simulator.dialect.Refusal;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import io.github.llmratelimit.simulator.dialect.WireRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RateLimitHeaders}.
 */
class RateLimitHeadersTests {

	private static final Levels LEVELS = new Levels(new Levels.Level(60, 59, 1_000_000_000), null);

	private final Conversation conversation = SimulatedDialect.OPENAI.open(new WireRequest("GET", "/simulator/echo", "",
			Map.<String, String>of()::get, "".getBytes(StandardCharsets.UTF_8)));

	@Test
	void tellsAllThatTheDialectHas() {
		assertThat(RateLimitHeaders.answered(Headers.DIALECT, this.conversation, LEVELS, Instant.EPOCH))
			.containsOnlyKeys("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests",
					"x-ratelimit-reset-requests");
		assertThat(refused(Headers.DIALECT, 1_200_000_001)).containsEntry("retry-after-ms", "1201")
			.containsEntry("retry-after", "2")
			.hasSize(5);
	}

	@Test
	void tellsOnlyTheHint() {
		assertThat(RateLimitHeaders.answered(Headers.RETRY_AFTER, this.conversation, LEVELS, Instant.EPOCH)).isEmpty();
		assertThat(refused(Headers.RETRY_AFTER, 1)).containsExactly(Map.entry("retry-after", "1"));
	}

	@Test
	void tellsNothing() {
		assertThat(refused(Headers.NONE, 1)).isEmpty();
	}

	@Test
	void hasNoHintForAWaitThatNobodyKnows() {
		assertThat(refused(Headers.RETRY_AFTER, 0)).isEmpty();
		assertThat(refused(Headers.DIALECT, 0)).doesNotContainKey("retry-after");
	}

	private Map<String, String> refused(Headers kind, long waitNanos) {
		Refusal refusal = new Refusal(Cause.REQUESTS, waitNanos, 60, 60, 1, LEVELS);
		return RateLimitHeaders.refused(kind, this.conversation, refusal, Instant.EPOCH);
	}

}
