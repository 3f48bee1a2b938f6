package io.github.llmratelimit.simulator.dialect;

import java.util.Map;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DashScope} and {@link DashScopeCompatible}.
 */
class DashScopeTests {

	private static final String NATIVE = "/api/v1/services/aigc/text-generation/generation";

	private final Conversation chat = open(NATIVE, Map.of(), "'parameters': {'max_tokens': 9}");

	private final Conversation compatible = Wire.open(SimulatedDialect.DASHSCOPE,
			"/compatible-mode/v1/chat/completions",
			"{'model': 'qwen', 'messages': [], 'stream': true, 'stream_options': {'include_usage': true}}");

	@Test
	void findsPromptAndMaxTokensWhereTheyAre() {
		assertThat(this.chat.call()).isEqualTo(new Call(Kind.CHAT, "", "qwen", 4, 0, 9, null, false, false));
		assertThat(
				Wire.open(SimulatedDialect.DASHSCOPE, NATIVE, "{'model': 'qwen', 'input': {'prompt': 'four'}}").call())
			.isEqualTo(new Call(Kind.CHAT, "", "qwen", 1, 0, null, null, false, false));
	}

	@Test
	void answersWithItsOwnUsage() {
		assertThat(Wire.answer(this.chat)).isEqualTo(Wire.json(
				"{'output':{'choices':[{'message':{'role':'assistant','content':'the sky was red and all our sea lay '},"
						+ "'finish_reason':'length'}]},'usage':{'input_tokens':4,'output_tokens':9,'total_tokens':13},"
						+ "'request_id':'simulated-7'}"));
	}

	@Test
	void repeatsTheTextInEachEvent() {
		Conversation stream = open(NATIVE, Map.of("x-dashscope-sse", "enable"), "'parameters': {}");
		assertThat(stream.call().stream()).isTrue();
		assertThat(Wire.events(stream)).hasSize(3);
		assertThat(Wire.events(stream).get(0)).startsWith("id:1\nevent:result\n:HTTP_STATUS/200\ndata:{")
			.contains("'the sky was red and all our sea '".replace('\'', '"'), "\"finish_reason\":\"null\"",
					"\"usage\":{\"input_tokens\":4,\"output_tokens\":8,\"total_tokens\":12}");
		assertThat(Wire.events(stream).get(2)).startsWith("id:3\n")
			.contains("\"content\":\"the sky was red and all our sea lay \"", "\"finish_reason\":\"stop\"",
					"\"total_tokens\":13");
		assertThat(Wire.written(stream)).containsExactly(8, 9, 9);
	}

	@Test
	void tellsOnlyWhatIsNewWhenAsked() {
		Conversation stream = open(NATIVE, Map.of("accept", "text/event-stream"),
				"'parameters': {'incremental_output': true}");
		assertThat(Wire.events(stream).get(1)).contains("\"content\":\"lay \"");
		assertThat(Wire.events(stream).get(2)).contains("\"content\":\"\"", "\"output_tokens\":9");
	}

	@Test
	void refusesInItsOwnForm() {
		assertThat(Wire.refusal(this.chat, Cause.REQUESTS, 1)).isEqualTo("429 " + Wire.json("{'code':"
				+ "'Throttling.RateQuota','message':'Requests rate limit exceeded, please try again later.','request_id':'simulated'}"));
		assertThat(Wire.refusal(this.chat, Cause.TOKENS, 1)).contains("\"Throttling.AllocationQuota\"",
				"Allocated quota exceeded, please increase your quota limit.");
		assertThat(Wire.refusal(this.chat, Cause.TOO_LARGE, 0)).contains("\"Throttling.AllocationQuota\"");
		assertThat(Wire.refusal(this.chat, Cause.CONCURRENCY, 0)).contains("429 ", "\"Throttling.Concurrency\"");
		assertThat(Wire.refusal(this.chat, Cause.BANNED, 0)).contains("403 ", "\"AccessDenied\"");
		assertThat(this.chat.failure(500).body().toString()).contains("\"code\":\"InternalError\"");
	}

	@Test
	void refusesInOpenAisFormUnderOtherNames() {
		assertThat(Wire.refusal(this.compatible, Cause.TOKENS, 1)).isEqualTo("429 " + Wire.json("{'error':{'message':"
				+ "'Allocated quota exceeded, please increase your quota limit.','type':'insufficient_quota','param':null,"
				+ "'code':'insufficient_quota'}}"));
		assertThat(Wire.refusal(this.compatible, Cause.REQUESTS, 1)).contains("\"code\":\"limit_requests\"");
	}

	@Test
	void streamsLikeOpenAiInCompatibleMode() {
		assertThat(Wire.events(this.compatible)).hasSize(6).endsWith("data: [DONE]\n\n");
		assertThat(Wire.events(this.compatible).get(4)).contains("\"completion_tokens\":9");
	}

	@Test
	void announcesNothing() {
		assertThat(this.chat.levels(Wire.LEVELS, Wire.NOW)).isEmpty();
		assertThat(this.chat.hint(Wire.SECOND)).isEmpty();
		assertThat(this.compatible.levels(Wire.LEVELS, Wire.NOW)).isEmpty();
		assertThat(this.compatible.hint(Wire.SECOND)).isEmpty();
	}

	private static Conversation open(String path, Map<String, String> headers, String more) {
		return Wire.open(SimulatedDialect.DASHSCOPE, path, headers,
				"{'model': 'qwen', 'input': {'messages': [{'content': 'four'}]}, %s}".formatted(more));
	}

}
