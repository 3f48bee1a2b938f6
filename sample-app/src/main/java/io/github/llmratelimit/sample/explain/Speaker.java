package io.github.llmratelimit.sample.explain;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.vendor.Dialects;

/**
 * Who speaks which dialect. Most providers that have none of their own speak OpenAI's.
 */
final class Speaker {

	private static final DialectTable ANY = Dialects.named("openai-compatible");

	private static final Map<String, String> OTHER_NAMES = Map.of("baidu", "qianfan", "tencent", "hunyuan",
			"cloudflare", "generic");

	private static final List<Sign> SIGNS = List.of(new Sign("anthropic-", "anthropic"), new Sign("x-groq", "groq"),
			new Sign("x-amzn-errortype", "bedrock"), new Sign("x-amzn-bedrock-", "bedrock"),
			new Sign("ratelimitbysize-", "mistral"), new Sign("x-ratelimitbysize-", "mistral"),
			new Sign("x-tokenlimit-", "together"), new Sign("x-dashscope-", "dashscope"),
			new Sign("azureml-", "azure-openai"), new Sign("x-ms-rai-", "azure-openai"), new Sign("openai-", "openai"));

	private Speaker() {
	}

	static DialectTable named(String provider) {
		return Dialects.builtIn().getOrDefault(OTHER_NAMES.getOrDefault(provider, provider), ANY);
	}

	static DialectTable knownBy(Collection<String> headers) {
		return SIGNS.stream()
			.filter((sign) -> headers.stream().anyMatch(sign::isIn))
			.findFirst()
			.map((sign) -> named(sign.provider()))
			.orElse(ANY);
	}

	/**
	 * A header that one provider alone sends.
	 *
	 * @param beginning beginning of its name
	 * @param provider the provider
	 */
	private record Sign(String beginning, String provider) {

		boolean isIn(String header) {
			return header.startsWith(this.beginning);
		}

	}

}
