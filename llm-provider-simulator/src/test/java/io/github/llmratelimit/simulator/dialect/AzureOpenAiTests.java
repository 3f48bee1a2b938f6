package io.github.llmratelimit.simulator.dialect;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AzureOpenAi}.
 */
class AzureOpenAiTests {

	private static final String CHAT = "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21";

	private final Conversation chat = open(CHAT, "{'messages': [{'content': 'four'}], 'max_tokens': 9}");

	@Test
	void takesTheModelFromTheDeployment() {
		assertThat(this.chat.call()).isEqualTo(new Call(Kind.CHAT, "", "my-gpt", 4, 0, 9, null, false, false));
		assertThat(open("/openai/deployments/e/embeddings", "{'input': ['four', 'four']}").call())
			.isEqualTo(new Call(Kind.EMBEDDINGS, "", "e", 2, 2, null, null, false, false));
		assertThat(open("/openai/v1/chat/completions", "{'model': 'm', 'messages': []}").call().model()).isEqualTo("m");
		assertThatExceptionOfType(UnreadableCallException.class)
			.isThrownBy(() -> open("/v1/chat/completions", "{'model': 'm', 'messages': []}"))
			.satisfies((ex) -> assertThat(ex.problem().status()).isEqualTo(404));
	}

	@Test
	void answersLikeOpenAi() {
		assertThat(Wire.answer(this.chat)).contains("\"model\":\"my-gpt\"", "\"finish_reason\":\"length\"",
				"\"usage\":{\"prompt_tokens\":4,\"completion_tokens\":9,\"total_tokens\":13}");
	}

	@Test
	void beginsAStreamWithTheFilterOfThePrompt() {
		Conversation stream = open(CHAT, "{'messages': [], 'stream': true, 'stream_options': {'include_usage': true}}");
		assertThat(Wire.events(stream)).hasSize(7).endsWith("data: [DONE]\n\n");
		assertThat(Wire.events(stream).get(0)).startsWith("data: {\"choices\":[],").contains("prompt_filter_results");
		assertThat(Wire.events(stream).get(5)).contains("\"choices\":[],\"usage\":{\"prompt_tokens\":0");
		assertThat(Wire.written(stream)).containsExactly(0, 0, 8, 9, 9, 9, 9);
	}

	@Test
	void tellsResetsInWholeSeconds() {
		assertThat(this.chat.levels(Wire.LEVELS, Wire.NOW)).containsEntry("x-ratelimit-remaining-tokens", "149984")
			.containsEntry("x-ratelimit-reset-requests", "1")
			.containsEntry("x-ratelimit-reset-tokens", "2")
			.hasSize(6);
		assertThat(this.chat.hint(1_499_000_001)).containsEntry("retry-after-ms", "1500")
			.containsEntry("retry-after", "2")
			.hasSize(2);
	}

	@Test
	void namesTheLimitOnlyInProse() {
		assertThat(Wire.refusal(this.chat, Cause.TOKENS, 2 * Wire.SECOND)).isEqualTo("429 " + Wire.json(
				"{'error':{'code':'429','message':'Requests to the ChatCompletions_Create Operation under Azure OpenAI API "
						+ "version 2024-10-21 have exceeded token rate limit of your current OpenAI S0 pricing tier. "
						+ "Please retry after 2 seconds. Please go here: https://aka.ms/oai/quotaincrease if you would "
						+ "like to further increase the default rate limit.'}}"));
		assertThat(Wire.refusal(this.chat, Cause.REQUESTS, 1)).contains("exceeded call rate limit",
				"Please retry after 1 second. ");
		assertThat(Wire.refusal(this.chat, Cause.TOO_LARGE, 0)).contains("429 ", "exceeded token rate limit",
				"Please retry after 60 seconds. ");
		assertThat(Wire.refusal(this.chat, Cause.CONCURRENCY, 0)).contains("429 ", "concurrent request limit");
		assertThat(Wire.refusal(this.chat, Cause.BANNED, 0)).startsWith("403 ");
	}

	@Test
	void failsWithItsStatusAsCode() {
		assertThat(this.chat.failure(503).body().toString()).contains("{\"code\":\"503\",");
	}

	private static Conversation open(String uri, String body) {
		return Wire.open(SimulatedDialect.AZURE_OPENAI, uri, body);
	}

}
