package io.github.llmratelimit.simulator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
		assertThat(ofChat("{'messages': [{'content': 'four'}, {'content': '你好'}]}")).isEqualTo(1 + 3 + 2 + 3);
		assertThat(ofChat("{'messages': [{'content': [{'text': 'four'}, {'image_url': 'x'}]}]}")).isEqualTo(1 + 3);
		assertThat(ofChat("{'messages': [{'role': 'assistant'}]}")).isEqualTo(3);
		assertThat(ofChat("{'messages': [], 'tools': [{'a':1}]}")).isEqualTo(3);
	}

	private long ofChat(String request) {
		return TokenCount.ofChat(this.json.readTree(request.replace('\'', '"')));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 7, 2000 })
	void writesTextsOfTheLengthAskedFor(int tokens) {
		assertThat(TokenCount.ofText(TokenCount.textOf(tokens))).isEqualTo(tokens);
	}

}
