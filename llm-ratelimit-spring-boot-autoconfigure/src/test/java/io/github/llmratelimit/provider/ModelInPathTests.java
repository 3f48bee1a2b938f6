package io.github.llmratelimit.provider;

import java.net.URI;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ModelInPathTests {

	@ParameterizedTest
	@CsvSource({ "https://me.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=1, gpt-4o",
			"https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse, gemini-2.5-pro",
			"https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/gemini-pro:generateContent, gemini-pro",
			"https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0/converse, anthropic.claude-3-haiku-20240307-v1:0",
			"https://api.openai.com/v1/models/gpt-4o, gpt-4o", "https://api.openai.com/v1/models,",
			"https://api.openai.com/v1/models/,", "https://api.openai.com/v1/chat/completions,",
			"https://api.openai.com,", "mailto:models@example.org," })
	void model(URI url, String model) {
		assertThat(ModelInPath.of(url)).isEqualTo(model);
	}

}
