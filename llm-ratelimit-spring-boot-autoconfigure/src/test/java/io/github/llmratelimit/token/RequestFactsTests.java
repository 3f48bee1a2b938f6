package io.github.llmratelimit.token;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RequestFactsTests {

	private static final String CHAT = """
			{"model": "gpt-4o-mini", "max_tokens": 100, "max_completion_tokens": 250, "temperature": 0.2, "n": 2,
			 "stream": true, "stream_options": {"include_usage": true},
			 "messages": [
			  {"role": "system", "content": "Be brief."},
			  {"role": "user", "content": [
			    {"type": "text", "text": "What is this?"},
			    {"type": "image_url", "image_url": {"url": "https://example.org/a/very/long/path.png", "detail": "low"}}]}]}
			""";

	/** Characters whose lower byte does harm in UTF-8, too. */
	private static final String DAMAGE = "{}[]\",:\\u0a \u00e4\u00ff\u00c3";

	@Test
	void readsChatCompletion() {
		RequestFacts facts = scan(CHAT);
		assertThat(facts.isReadable()).isTrue();
		assertThat(facts.model()).isEqualTo("gpt-4o-mini");
		assertThat(facts.maxOutputTokens()).isEqualTo(250);
		assertThat(facts.stream()).isTrue();
		assertThat(facts.includesUsage()).isTrue();
		assertThat(facts.choices()).isEqualTo(2);
		assertThat(facts.messages()).isEqualTo(2);
		assertThat(facts.images()).isOne();
		assertThat(facts.texts()).containsExactly("Be brief.", "What is this?");
		assertThat(facts.text().of(TextKind.LETTER)).isEqualTo(17);
		assertThat(facts.text().of(TextKind.WORD)).isEqualTo(5);
	}

	@Test
	void replacesTheModelAndNothingElse() {
		byte[] body = "_{\"messages\":[{\"model\":\"decoy\"}],\"model\": \"gpt-\u00fc\",\"n\":1}_"
			.getBytes(StandardCharsets.UTF_8);
		RequestFacts facts = RequestFacts.scan(body, 1, body.length - 2);
		assertThat(StandardCharsets.UTF_8.decode(facts.withModel("a\"b\\c")).toString())
			.isEqualTo("{\"messages\":[{\"model\":\"decoy\"}],\"model\": \"a\\\"b\\\\c\",\"n\":1}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"messages\":[]}", "no JSON" })
	void replacesNoModelWhereThereIsNone(String body) {
		assertThatIllegalStateException().isThrownBy(() -> scan(body).withModel("m"));
	}

	@Test
	void readsResponsesRequest() {
		RequestFacts facts = scan("""
				{"model": "gpt-5.1", "instructions": "Be brief.", "max_output_tokens": 64,
				 "input": [{"role": "user", "content": [{"type": "input_text", "text": "Hi"},
				   {"type": "input_image", "image_url": "https://example.org/a.png"}]}]}""");
		assertThat(facts.model()).isEqualTo("gpt-5.1");
		assertThat(facts.maxOutputTokens()).isEqualTo(64);
		assertThat(facts.messages()).isOne();
		assertThat(facts.images()).isOne();
		assertThat(facts.texts()).containsExactly("Be brief.", "Hi");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"input": "one text"}                          | 0 | 7
			{"input": ["one", "two"]}                      | 0 | 6
			{"input": [1, 2, 30000]}                       | 3 | 0
			{"input": [[1, 2], [3]]}                       | 3 | 0
			{"prompt": "text", "input": 5}                 | 1 | 4
			{"temperature": 1, "top_p": 0.5, "input": "a"} | 0 | 1
			""")
	void readsInputsOfAllForms(String body, long tokenIds, long letters) {
		RequestFacts facts = scan(body);
		assertThat(facts.tokenIds()).isEqualTo(tokenIds);
		assertThat(facts.text().of(TextKind.LETTER)).isEqualTo(letters);
	}

	@Test
	void countsToolsAndSchemaApart() {
		RequestFacts facts = scan("""
				{"model": "m", "messages": [{"role": "user", "content": "Hi"}],
				 "tools": [{"type": "function", "function": {"name": "weather", "description": "Look it up"}}],
				 "response_format": {"type": "json_object"}, "tool_choice": "auto", "user": "somebody"}""");
		assertThat(facts.text().of(TextKind.LETTER)).isEqualTo(2);
		assertThat(facts.schema().of(TextKind.LETTER))
			.isEqualTo("typefunctionfunctionnameweatherdescriptionLookituptypejsonobject".length());
		assertThat(facts.texts()).containsExactly("Hi", "type", "function", "function", "name", "weather",
				"description", "Look it up", "type", "json_object");
	}

	@Test
	void countsHistoryWithToolCalls() {
		RequestFacts facts = scan("""
				{"messages": [{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
				   "function": {"name": "weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]},
				 {"role": "tool", "tool_call_id": "call_1", "content": "rain"}]}""");
		assertThat(facts.texts()).containsExactly("weather", "{\"city\": \"Oslo\"}", "rain");
		assertThat(facts.messages()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"messages\":[{\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"%s\"}}]}]}",
			"{\"messages\":[{\"content\":[{\"type\":\"image_url\",\"image_url\":\"%s\"}]}]}",
			"{\"messages\":[{\"content\":\"%s\"}]}", "{\"input\":\"%s\"}",
			"{\"messages\":[{\"content\":[{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"%s\",\"format\":\"wav\"}}]}]}",
			"{\"messages\":[{\"content\":[{\"type\":\"file\",\"file\":{\"file_data\":\"%s\"}}]}]}" })
	void doesNotCountEncodedFilesAsText(String body) {
		String encoded = (body.contains("wav") ? "" : "data:image/png;base64,") + "iVBORw0KGgo+/".repeat(1000);
		RequestFacts facts = scan(body.formatted(encoded));
		assertThat(facts.isReadable()).isTrue();
		assertThat(facts.text().of(TextKind.LETTER)).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "data: the new economy; base64, explained", "data:", "dark: it was", "data sheet" })
	void countsTextThatOnlyLooksEncoded(String text) {
		assertThat(scan("{\"prompt\":\"" + text + "\",\"x\":{\"data\":\"" + text + "\"}}").texts())
			.containsExactly(text, text);
	}

	@Test
	void keepsWhatItIsToldInAnyOrderAndNesting() {
		RequestFacts facts = scan("""
				{"messages":[{"content":"x","model":"decoy","max_tokens":7,"n":9,"stream":true}],
				 "metadata":{"model":"decoy","stream_options":{"include_usage":true}},"model":"m","max_tokens":5}""");
		assertThat(facts.model()).isEqualTo("m");
		assertThat(facts.maxOutputTokens()).isEqualTo(5);
		assertThat(facts.choices()).isOne();
		assertThat(facts.stream()).isFalse();
		assertThat(facts.includesUsage()).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "null", textBlock = """
			{"max_tokens": 0}                    | 0
			{"max_tokens": null}                 | null
			{"max_tokens": -1}                   | null
			{"max_tokens": "100"}                | null
			{"max_tokens": 1.5}                  | null
			{"max_tokens": 1e9}                  | null
			{"max_tokens": 99999999999999999999} | null
			{"max_tokens": {"max_tokens": 5}}    | null
			{"max_tokens": [5]}                  | 5
			{}                                   | null
			""")
	void takesOnlyWholeNumbersForMaxOutput(String body, Long expected) {
		assertThat(scan(body).isReadable()).isTrue();
		assertThat(scan(body).maxOutputTokens()).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "null", textBlock = """
			{"messages":[],"inferenceConfig":{"maxTokens":512}}              | 512
			{"contents":[],"generationConfig":{"maxOutputTokens":512}}       | 512
			{"input":{"messages":[]},"parameters":{"max_tokens":512}}        | 512
			{"options":{"num_predict":512}}                                  | 512
			{"options":{"num_predict":-1}}                                   | null
			{"inputText":"x","textGenerationConfig":{"maxTokenCount":512}}   | 512
			{"prompt":"x","max_gen_len":512}                                 | 512
			{"messages":[{"maxTokens":512}],"tools":[{"maxTokens":512}]}     | null
			{"tool_choice":{"maxTokens":512},"x":{"y":{"maxTokens":512}}}    | null
			{"x":[{"maxTokens":512}]}                                        | null
			""")
	void findsMaxOutputInSettings(String body, Long expected) {
		assertThat(scan(body).isReadable()).isTrue();
		assertThat(scan(body).maxOutputTokens()).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "null", "17", "\"text\"", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":\"",
			"{\"a\":\"b", "{\"a\":\"\\", "{\"a\":\"\\u12", "{\"a\":[1}", "{\"a\":{]}", "{\"a\" 1}", "{} {}", "{}x",
			"grant_type=client_credentials", "<xml/>", "{\"a\":?}", "{\"a\":TRUE}", "{\"a\":\"b\"}}" })
	void doesNotReadWhatIsNoJsonObject(String body) {
		assertThat(scan(body)).isSameAs(RequestFacts.UNREADABLE);
	}

	@Test
	void unreadableSaysNothing() {
		RequestFacts facts = RequestFacts.UNREADABLE;
		assertThat(facts.isReadable()).isFalse();
		assertThat(facts.model()).isNull();
		assertThat(facts.maxOutputTokens()).isNull();
		assertThat(facts.texts()).isEmpty();
		assertThat(facts.text().tokens(Vocabulary.O200K)).isZero();
	}

	@Test
	void scansPartOfAnArray() {
		byte[] bytes = ("xx" + CHAT + "yy").getBytes(StandardCharsets.UTF_8);
		RequestFacts facts = RequestFacts.scan(bytes, 2, bytes.length - 4);
		assertThat(facts.model()).isEqualTo("gpt-4o-mini");
		assertThat(facts.texts()).containsExactly("Be brief.", "What is this?");
	}

	@Test
	void decodesEscapes() {
		assertThat(scan("""
				{"model": "\\u4e2d\\/\\"x\\"", "prompt": "a\\tb\\\\c\\ud83d\\ude00\\u00e9\\n"}""").texts())
			.containsExactly("a\tb\\c\ud83d\ude00\u00e9\n");
		assertThat(scan("{\"model\": \"\\u4e2d\\/\\\"x\\\"\"}").model()).isEqualTo("\u4e2d/\"x\"");
	}

	@Test
	void deepNestingIsUnreadable() {
		assertThat(scan("{\"a\":" + "[".repeat(60) + "]".repeat(60) + "}").isReadable()).isTrue();
		assertThat(scan("{\"a\":" + "[".repeat(1_000_000) + "]".repeat(1_000_000) + "}").isReadable()).isFalse();
	}

	@Test
	void scansTenMegabytes() {
		RequestFacts facts = scan("{\"prompt\":\"" + "word ".repeat(2_000_000) + "\"}");
		assertThat(facts.text().of(TextKind.LETTER)).isBetween(7_900_000L, 8_100_000L);
	}

	@Test
	void survivesEveryTruncation() {
		byte[] body = CHAT.strip().getBytes(StandardCharsets.UTF_8);
		for (int length = 0; length < body.length; length++) {
			assertThat(RequestFacts.scan(body, 0, length).isReadable()).as("%d bytes", length).isFalse();
			assertThat(RequestFacts.scan(Arrays.copyOf(body, length)).isReadable()).isFalse();
		}
	}

	@Test
	void survivesGeneratedDamage() {
		Random random = new Random(42);
		byte[] body = (CHAT + "\"中文\\u4e2d😀\"").getBytes(StandardCharsets.UTF_8);
		for (int i = 0; i < 20_000; i++) {
			byte[] damaged = body.clone();
			for (int n = random.nextInt(8); n >= 0; n--) {
				damaged[random.nextInt(damaged.length)] = (byte) DAMAGE.charAt(random.nextInt(DAMAGE.length()));
			}
			RequestFacts facts = RequestFacts.scan(damaged, 0, random.nextInt(damaged.length + 1));
			assertThat(facts.texts().size()).isLessThan(body.length);
		}
	}

	@Test
	void survivesRandomBytes() {
		Random random = new Random(7);
		for (int i = 0; i < 5_000; i++) {
			byte[] body = new byte[random.nextInt(200)];
			random.nextBytes(body);
			if (body.length > 8 && random.nextBoolean()) {
				System.arraycopy("{\"input\":\"".getBytes(StandardCharsets.UTF_8), 0, body, 0, 8);
			}
			RequestFacts.scan(body).texts();
		}
	}

	private static RequestFacts scan(String body) {
		return RequestFacts.scan(body.getBytes(StandardCharsets.UTF_8));
	}

}
