package io.github.llmratelimit.simulator.dialect;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TokenCount}.
 */
class TokenCountTests {

	private final JsonMapper json = new JsonMapper();

	@ParameterizedTest
	@CsvSource({ "'',0", "a,1", "four,1", "fives,2", "你好世界,4", "你好 ok,3", "привет,3", "😀,1" })
	void countsByAlphabet(String text, long tokens) {
		assertThat(TokenCount.ofText(text)).isEqualTo(tokens);
	}

	@Test
	void countsMessagesPartsAndTools() {
		assertThat(ofMessages("[{'content': 'four'}, {'content': '你好'}]")).isEqualTo(1 + 3 + 2 + 3);
		assertThat(ofMessages("[{'content': [{'text': 'four'}, {'image_url': 'x'}]}]")).isEqualTo(1 + 3);
		assertThat(ofMessages("[{'role': 'assistant'}]")).isEqualTo(3);
		assertThat(TokenCount.ofTools(parse("[{'a':1}]"))).isEqualTo(3);
		assertThat(TokenCount.ofTools(parse("{}").path("tools"))).isZero();
	}

	private long ofMessages(String messages) {
		return TokenCount.ofMessages(parse(messages), "content");
	}

	private JsonNode parse(String json) {
		return this.json.readTree(json.replace('\'', '"'));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7, 2000 })
	void writesTextsOfTheLengthAskedFor(int tokens) {
		assertThat(TokenCount.ofText(TokenCount.textOf(tokens))).isEqualTo(tokens);
	}

}
