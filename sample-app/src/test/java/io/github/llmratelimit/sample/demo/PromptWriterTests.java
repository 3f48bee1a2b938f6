package io.github.llmratelimit.sample.demo;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PromptWriter}.
 */
class PromptWriterTests {

	@Test
	void writesSamePromptsWithSameSeed() {
		assertThat(new PromptWriter(7).write(20)).isEqualTo(new PromptWriter(7).write(20))
			.isNotEqualTo(new PromptWriter(8).write(20));
	}

	@Test
	void writesShortAndLongPromptsInTwoLanguages() {
		List<String> texts = new PromptWriter(1).write(200).stream().map(Prompt::text).toList();
		assertThat(texts).anyMatch((text) -> text.length() < 200).anyMatch((text) -> text.length() > 5000);
		assertThat(texts).anyMatch((text) -> text.startsWith("Summarize")).anyMatch((text) -> text.startsWith("请"));
	}

}
