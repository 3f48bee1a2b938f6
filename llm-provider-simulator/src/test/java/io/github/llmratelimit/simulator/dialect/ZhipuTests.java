package io.github.llmratelimit.simulator.dialect;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Zhipu}.
 */
class ZhipuTests {

	private final Conversation chat = open("{'model': 'glm', 'messages': [{'content': 'four'}], 'max_tokens': 100}");

	@Test
	void readsAndAnswersLikeOpenAi() {
		assertThat(this.chat.call()).isEqualTo(new Call(Kind.CHAT, "", "glm", 4, 0, 100, null, false, false));
		assertThat(Wire.answer(this.chat)).contains(
				"\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":9,\"total_tokens\":13}",
				"\"finish_reason\":\"stop\"");
	}

	@Test
	void streamsUsageWithoutBeingAsked() {
		Conversation stream = open("{'model': 'glm', 'messages': [], 'stream': true}");
		assertThat(Wire.events(stream)).hasSize(5).endsWith("data: [DONE]\n\n");
		assertThat(Wire.events(stream).get(3)).contains("\"finish_reason\":\"stop\"",
				"\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":9,\"total_tokens\":9}");
		assertThat(Wire.events(stream).subList(0, 3)).noneMatch((event) -> event.contains("usage"));
	}

	@Test
	void refusesByNumber() {
		assertThat(Wire.refusal(this.chat, Cause.REQUESTS, 1))
			.isEqualTo("429 " + Wire.json("{'error':{'code':'1302','message':'您的账户已达到速率限制，请您控制请求频率'}}"));
		assertThat(Wire.refusal(this.chat, Cause.CONCURRENCY, 0)).contains("429 ", "\"1302\"", "并发");
		assertThat(Wire.refusal(this.chat, Cause.TOO_LARGE, 0)).contains("400 ", "\"1261\"");
		assertThat(Wire.refusal(this.chat, Cause.BANNED, 0)).contains("429 ", "\"1121\"");
		assertThat(this.chat.failure(500).body().toString()).contains("{\"code\":\"500\",");
	}

	@Test
	void announcesNothing() {
		assertThat(this.chat.levels(Wire.LEVELS, Wire.NOW)).isEmpty();
		assertThat(this.chat.hint(Wire.SECOND)).isEmpty();
	}

	private static Conversation open(String body) {
		return Wire.open(SimulatedDialect.ZHIPU, "/api/paas/v4/chat/completions", body);
	}

}
