package io.github.llmratelimit.simulator.dialect;

import java.util.Map;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import io.github.llmratelimit.simulator.dialect.Levels.Level;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Anthropic}.
 */
class AnthropicTests {

	private final Conversation message = open("""
			{'model': 'claude', 'max_tokens': 100, 'system': 'four', 'messages': [{'content': [{'text': 'four'}]}]}""");

	@Test
	void countsMessagesAndSystem() {
		assertThat(this.message.call()).isEqualTo(new Call(Kind.CHAT, "k", "claude", 5, 0, 100, null, false, false));
	}

	@Test
	void wantsMaxTokens() {
		assertThatExceptionOfType(UnreadableCallException.class)
			.isThrownBy(() -> open("{'model': 'claude', 'messages': []}"))
			.withMessage(Wire
				.json("{'type':'error','error':{'type':'invalid_request_error','message':"
						+ "'Missing required parameter: #max_tokens#.'},'request_id':'req_simulated'}")
				.replace('#', '\''));
	}

	@Test
	void answersWithUsage() {
		assertThat(Wire.answer(this.message)).isEqualTo(Wire
			.json("{'id':'msg_simulated-7','type':'message','role':'assistant','model':'claude','content':[{'type':'text',"
					+ "'text':'the sky was red and all our sea lay '}],'stop_reason':'end_turn','stop_sequence':null,"
					+ "'usage':{'input_tokens':5,'cache_creation_input_tokens':0,'cache_read_input_tokens':0,"
					+ "'output_tokens':9}}"));
	}

	@Test
	void streamsNamedEventsWithCumulativeUsage() {
		Conversation stream = open("{'model': 'claude', 'max_tokens': 9, 'stream': true, 'messages': []}");
		assertThat(stream.call().stream()).isTrue();
		assertThat(Wire.events(stream)).extracting((event) -> event.substring(7, event.indexOf('\n')))
			.containsExactly("message_start", "content_block_start", "ping", "content_block_delta",
					"content_block_delta", "content_block_stop", "message_delta", "message_stop");
		assertThat(Wire.events(stream).get(0)).contains("\"usage\":{\"input_tokens\":0,", "\"output_tokens\":1}");
		assertThat(Wire.events(stream).get(6)).isEqualTo("event: message_delta\ndata: " + Wire.json(
				"{'type':'message_delta','delta':{'stop_reason':'max_tokens','stop_sequence':null},'usage':{'output_tokens':9}}")
				+ "\n\n");
		assertThat(Wire.written(stream)).containsExactly(0, 0, 0, 8, 9, 9, 9, 9);
	}

	@Test
	void announcesEachLimitAndTheTightestOfTokens() {
		Levels levels = new Levels(new Level(50, 49, 700_000_000), null, new Level(30_000, 28_600, 0),
				new Level(8000, 7499, Wire.SECOND));
		assertThat(this.message.levels(levels, Wire.NOW))
			.containsExactlyInAnyOrderEntriesOf(Map.ofEntries(Map.entry("date", "Fri, 21 Aug 2026 12:40:00 GMT"),
					Map.entry("anthropic-ratelimit-requests-limit", "50"),
					Map.entry("anthropic-ratelimit-requests-remaining", "49"),
					Map.entry("anthropic-ratelimit-requests-reset", "2026-08-21T12:40:01Z"),
					Map.entry("anthropic-ratelimit-tokens-limit", "8000"),
					Map.entry("anthropic-ratelimit-tokens-remaining", "7000"),
					Map.entry("anthropic-ratelimit-tokens-reset", "2026-08-21T12:40:02Z"),
					Map.entry("anthropic-ratelimit-input-tokens-limit", "30000"),
					Map.entry("anthropic-ratelimit-input-tokens-remaining", "29000"),
					Map.entry("anthropic-ratelimit-input-tokens-reset", "2026-08-21T12:40:01Z"),
					Map.entry("anthropic-ratelimit-output-tokens-limit", "8000"),
					Map.entry("anthropic-ratelimit-output-tokens-remaining", "7000"),
					Map.entry("anthropic-ratelimit-output-tokens-reset", "2026-08-21T12:40:02Z")));
		assertThat(this.message.levels(new Levels(null, null), Wire.NOW)).containsOnlyKeys("date");
	}

	@Test
	void roundsRemainingTokensWithinTheirLimit() {
		Levels levels = new Levels(null, null, new Level(999, 499, 0), new Level(1600, 1550, 0));
		assertThat(this.message.levels(levels, Wire.NOW))
			.containsEntry("anthropic-ratelimit-input-tokens-remaining", "499")
			.containsEntry("anthropic-ratelimit-output-tokens-remaining", "1600");
	}

	@Test
	void refusesByTheLimitItNames() {
		assertThat(Wire.refusal(this.message, Cause.INPUT_TOKENS, 1)).isEqualTo("429 " + Wire
			.json("{'type':'error','error':{'type':'rate_limit_error','message':'This request would exceed your organization#s "
					+ "rate limit of 30,000 input tokens per minute (org: org-simulated, model: claude). For details, "
					+ "refer to: https://docs.claude.com/en/api/rate-limits.'},'request_id':'req_simulated'}")
			.replace('#', '\''));
		assertThat(Wire.refusal(this.message, Cause.OUTPUT_TOKENS, 1)).contains("30,000 output tokens per minute");
		assertThat(Wire.refusal(this.message, Cause.REQUESTS, 1)).contains("30,000 requests per minute");
		assertThat(Wire.refusal(this.message, Cause.CONCURRENCY, 0)).contains("429 ", "rate_limit_error",
				"concurrent connections");
		assertThat(Wire.refusal(this.message, Cause.BANNED, 0)).contains("403 ", "permission_error");
		assertThat(this.message.hint(22_000_000_001L)).isEqualTo(Map.of("retry-after", "23"));
	}

	@Test
	void isOverloadedWith529() {
		assertThat(this.message.failure(529).body().toString())
			.contains("{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}");
		assertThat(this.message.failure(500).body().toString()).contains("\"type\":\"api_error\"");
	}

	private static Conversation open(String body) {
		return Wire.open(SimulatedDialect.ANTHROPIC, "/v1/messages", Map.of("x-api-key", "k"), body);
	}

}
