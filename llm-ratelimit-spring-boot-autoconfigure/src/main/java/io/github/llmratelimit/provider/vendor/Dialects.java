package io.github.llmratelimit.provider.vendor;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.llmratelimit.provider.DialectBuilder;
import io.github.llmratelimit.provider.DialectTable;

/**
 * The built-in dialects.
 */
public final class Dialects {

	private static final Map<String, DialectTable> BUILT_IN = Stream
		.of(OpenAiDialect.TABLE, AzureOpenAiDialect.TABLE, AnthropicDialect.TABLE, GeminiDialect.TABLE,
				VertexDialect.TABLE, GroqDialect.TABLE, MistralDialect.TABLE, TogetherDialect.TABLE,
				OpenRouterDialect.TABLE, CohereDialect.TABLE, XAiDialect.TABLE, BedrockDialect.TABLE,
				DeepSeekDialect.TABLE, DashScopeDialect.TABLE, QianfanDialect.TABLE, MoonshotDialect.TABLE,
				ZhipuDialect.TABLE, MiniMaxDialect.TABLE, VolcengineDialect.TABLE, SiliconFlowDialect.TABLE,
				HunyuanDialect.TABLE, OllamaDialect.TABLE, VllmDialect.TABLE, OpenAiCompatibleDialect.TABLE,
				AnthropicCompatibleDialect.TABLE, DialectTable.generic())
		.collect(Collectors.toUnmodifiableMap(DialectTable::name, Function.identity()));

	private Dialects() {
	}

	/**
	 * All of them.
	 * @return the dialects by name
	 */
	public static Map<String, DialectTable> builtIn() {
		return BUILT_IN;
	}

	/**
	 * One of them, for example to build another {@linkplain DialectBuilder#like like} it.
	 * @param name name of a built-in dialect
	 * @return the dialect
	 * @throws IllegalArgumentException if there is none of this name
	 */
	public static DialectTable named(String name) {
		DialectTable dialect = BUILT_IN.get(name);
		if (dialect == null) {
			throw new IllegalArgumentException("no built-in dialect is named " + name);
		}
		return dialect;
	}

}
