package io.github.llmratelimit.simulator.dialect;

import java.util.Map;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Qianfan}.
 */
class QianfanTests {

	private final Conversation chat = open(
			"{'messages': [{'content': '你好'}], 'system': 'four', 'max_output_tokens': 100}");

	@Test
	void findsTheModelInThePathAndTheKeyInTheQuery() {
		assertThat(this.chat.call()).isEqualTo(new Call(Kind.CHAT, "k", "ernie", 6, 0, 100, null, false, false));
	}

	@Test
	void answersWithAResult() {
		assertThat(Wire.answer(this.chat))
			.isEqualTo(Wire.json("{'id':'as-simulated-7','object':'chat.completion','created':1787316000,'result':"
					+ "'the sky was red and all our sea lay ','is_truncated':false,'need_clear_history':false,"
					+ "'usage':{'prompt_tokens':6,'completion_tokens':9,'total_tokens':15},'finish_reason':'normal'}"));
	}

	@Test
	void streamsUsageInEachEvent() {
		Conversation stream = open("{'messages': [], 'stream': true}");
		assertThat(stream.call().stream()).isTrue();
		assertThat(Wire.events(stream)).hasSize(3).allMatch((event) -> event.startsWith("data: {"));
		assertThat(Wire.events(stream).get(1)).contains("\"result\":\"lay \"",
				"\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":9,\"total_tokens\":9}", "\"sentence_id\":1",
				"\"is_end\":false");
		assertThat(Wire.events(stream).get(2)).contains("\"result\":\"\"", "\"is_end\":true");
		assertThat(Wire.written(stream)).containsExactly(8, 9, 9);
	}

	@Test
	void refusesWithStatus200() {
		assertThat(Wire.refusal(this.chat, Cause.REQUESTS, 1))
			.isEqualTo("200 " + Wire.json("{'error_code':336501,'error_msg':'Rate limit reached for RPM'}"));
		assertThat(Wire.refusal(this.chat, Cause.TOKENS, 1))
			.isEqualTo("200 " + Wire.json("{'error_code':336502,'error_msg':'Rate limit reached for TPM'}"));
		assertThat(Wire.refusal(this.chat, Cause.CONCURRENCY, 0)).startsWith("200 {\"error_code\":18,");
		assertThat(Wire.refusal(this.chat, Cause.BANNED, 0)).startsWith("200 {\"error_code\":6,");
		assertThat(this.chat.failure(500).body().toString()).contains("336000");
	}

	@Test
	void announcesLevelsWithoutResets() {
		assertThat(this.chat.levels(Wire.LEVELS, Wire.NOW))
			.isEqualTo(Map.of("X-Ratelimit-Limit-Requests", "60", "X-Ratelimit-Remaining-Requests", "59",
					"X-Ratelimit-Limit-Tokens", "150000", "X-Ratelimit-Remaining-Tokens", "149984"));
		assertThat(this.chat.hint(Wire.SECOND)).isEmpty();
	}

	private static Conversation open(String body) {
		return Wire.open(SimulatedDialect.QIANFAN, "/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/ernie?access_token=k",
				body);
	}

}
