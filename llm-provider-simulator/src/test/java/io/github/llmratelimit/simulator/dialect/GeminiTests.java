package io.github.llmratelimit.simulator.dialect;

import io.github.llmratelimit.simulator.dialect.Call.Kind;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Gemini} and {@link GeminiArray}.
 */
class GeminiTests {

	private static final String BODY = """
			{'contents': [{'role': 'user', 'parts': [{'text': 'four'}, {'text': 'four'}]}],
			 'systemInstruction': {'parts': [{'text': 'four'}]}, 'generationConfig': {'maxOutputTokens': 9}}""";

	private final Conversation whole = open("/v1beta/models/flash:generateContent?key=k");

	private final Conversation events = open("/v1beta/models/flash:streamGenerateContent?alt=sse");

	private final Conversation array = open("/v1beta/models/flash:streamGenerateContent");

	@Test
	void findsTheModelInThePath() {
		assertThat(this.whole.call()).isEqualTo(new Call(Kind.CHAT, "k", "flash", 6, 0, 9, null, false, false));
		assertThat(this.events.call()).isEqualTo(new Call(Kind.CHAT, "", "flash", 6, 0, 9, null, true, false));
		assertThat(this.array.call()).isEqualTo(this.events.call());
	}

	@Test
	void answersWithUsageMetadata() {
		assertThat(Wire.answer(this.whole)).isEqualTo(Wire
			.json("{'candidates':[{'content':{'parts':[{'text':'the sky was red and all our sea lay '}],'role':'model'},"
					+ "'index':0,'finishReason':'MAX_TOKENS'}],'usageMetadata':{'promptTokenCount':6,"
					+ "'candidatesTokenCount':9,'totalTokenCount':15},'modelVersion':'flash','responseId':'simulated-7'}"));
	}

	@Test
	void streamsEvents() {
		assertThat(this.events.streamType()).isEqualTo("text/event-stream");
		assertThat(Wire.events(this.events)).hasSize(2)
			.allMatch((event) -> event.startsWith("data: {\"candidates\"") && event.endsWith("}\n\n"));
		assertThat(Wire.events(this.events).get(0)).contains("\"candidatesTokenCount\":8,\"totalTokenCount\":14")
			.doesNotContain("finishReason");
		assertThat(Wire.events(this.events).get(1)).contains("\"candidatesTokenCount\":9,\"totalTokenCount\":15",
				"\"finishReason\":\"MAX_TOKENS\"");
		assertThat(Wire.written(this.events)).containsExactly(8, 9);
	}

	@Test
	void streamsAnArrayWithoutSse() {
		assertThat(this.array.streamType()).isEqualTo("application/json");
		assertThat(Wire.events(this.array)).hasSize(2);
		JsonNode all = new JsonMapper().readTree(String.join("", Wire.events(this.array)));
		assertThat(all.size()).isEqualTo(2);
		assertThat(all.at("/1/usageMetadata/totalTokenCount").asInt()).isEqualTo(15);
	}

	@Test
	void streamsAnEmptyAnswer() {
		assertThat(this.events.events(1, 0, Wire.NOW)).singleElement()
			.satisfies((event) -> assertThat(event.text()).contains("\"text\":\"\"", "\"finishReason\":\"STOP\""));
	}

	@Test
	void hintsInTheBody() {
		assertThat(this.whole.levels(Wire.LEVELS, Wire.NOW)).isEmpty();
		assertThat(this.whole.hint(Wire.SECOND)).isEmpty();
		assertThat(Wire.refusal(this.whole, Cause.REQUESTS, 34_074_824_224L)).isEqualTo("429 " + Wire
			.json("{'error':{'code':429,'message':'You exceeded your current quota, please check your plan and billing details. "
					+ "For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits."
					+ "\\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, "
					+ "limit: 30000\\nPlease retry in 34.074824224s.','status':'RESOURCE_EXHAUSTED','details':[{"
					+ "'@type':'type.googleapis.com/google.rpc.QuotaFailure','violations':[{'quotaMetric':"
					+ "'generativelanguage.googleapis.com/generate_content_free_tier_requests','quotaId':"
					+ "'GenerateRequestsPerMinutePerProjectPerModel-FreeTier','quotaDimensions':{'location':'global',"
					+ "'model':'flash'},'quotaValue':'30000'}]},{'@type':'type.googleapis.com/google.rpc.RetryInfo',"
					+ "'retryDelay':'34.074824224s'}]}}"));
	}

	@Test
	void refusesInItsWords() {
		assertThat(Wire.refusal(this.whole, Cause.INPUT_TOKENS, Wire.SECOND))
			.contains("GenerateContentInputTokensPerModelPerMinute-FreeTier", "\"retryDelay\":\"1s\"");
		assertThat(Wire.refusal(this.whole, Cause.TOO_LARGE, 0)).contains("InputTokensPerModelPerMinute")
			.doesNotContain("RetryInfo", "retry in");
		assertThat(Wire.refusal(this.whole, Cause.CONCURRENCY, 0)).isEqualTo("429 " + Wire.json(
				"{'error':{'code':429,'message':'Resource has been exhausted (e.g. check quota).','status':'RESOURCE_EXHAUSTED'}}"));
		assertThat(Wire.refusal(this.whole, Cause.BANNED, 0)).contains("403 ", "PERMISSION_DENIED");
		assertThat(Wire.refusal(this.array, Cause.CONCURRENCY, 0)).startsWith("429 [{\"error\":").endsWith("]");
		assertThat(this.array.failure(503).body().toString()).startsWith("[{\"error\":{\"code\":503,")
			.contains("UNAVAILABLE");
	}

	@ParameterizedTest
	@CsvSource({ "0,0s", "38000000000,38s", "1500000000,1.500s", "539477544,0.539477544s", "1000001000,1.000001s",
			"100,0.000000100s", "10000000000,10s" })
	void printsDurationsLikeProtobuf(long nanos, String expected) {
		assertThat(Gemini.duration(nanos)).isEqualTo(expected);
	}

	private static Conversation open(String uri) {
		return Wire.open(SimulatedDialect.GEMINI, uri, BODY);
	}

}
