package io.github.llmratelimit.provider.vendor;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.provider.ThrottleStatuses;
import io.github.llmratelimit.token.RequestFacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DialectsTests {

	@Test
	void dialectsAreFoundByTheirNames() {
		assertThat(Dialects.builtIn()).containsOnlyKeys("openai", "azure-openai", "anthropic", "anthropic-compatible",
				"gemini", "vertex", "groq", "mistral", "together", "openrouter", "cohere", "xai", "bedrock", "deepseek",
				"dashscope", "qianfan", "moonshot", "zhipu", "minimax", "volcengine", "siliconflow", "hunyuan",
				"ollama", "vllm", "openai-compatible", "generic");
		assertThat(Dialects.builtIn()).allSatisfy((name, dialect) -> {
			assertThat(dialect.name()).isEqualTo(name);
			assertThat(Dialects.named(name)).isSameAs(dialect);
		});
		assertThatIllegalArgumentException().isThrownBy(() -> Dialects.named("none"));
	}

	@Test
	void noTwoDialectsShareABaseUrl() {
		List<Provider> providers = Dialects.builtIn().values().stream().map(DialectsTests::provider).toList();
		assertThat(new ProviderRegistry(providers).providers()).hasSameSizeAs(providers);
	}

	private static Provider provider(DialectTable dialect) {
		return new Provider(dialect.name(), dialect, dialect.baseUrls().stream().map(URI::create).toList());
	}

	@ParameterizedTest
	@CsvSource({ "https://api.openai.com/v1/responses,openai", "https://team.openai.azure.com/openai/v1,azure-openai",
			"https://api.anthropic.com/v1/messages,anthropic",
			"https://generativelanguage.googleapis.com/v1beta/models/m:generateContent,gemini",
			"https://us-central1-aiplatform.googleapis.com/v1/projects/p,vertex",
			"https://aiplatform.googleapis.com/v1/projects/p,vertex", "https://api.groq.com/openai/v1,groq",
			"https://api.mistral.ai/v1,mistral", "https://api.together.xyz/v1,together",
			"https://openrouter.ai/api/v1,openrouter", "https://api.cohere.com/v2/chat,cohere",
			"https://api.x.ai/v1,xai", "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse,bedrock" })
	void dialectsAreFoundByTheirUrls(URI url, String name) {
		ProviderRegistry registry = new ProviderRegistry(
				Dialects.builtIn().values().stream().map(DialectsTests::provider).toList());
		assertThat(registry.find(url).name()).isEqualTo(name);
	}

	@ParameterizedTest
	@CsvSource({ "openai,REQUESTS,SLIDING_WINDOW", "openai,TOKENS,TOKEN_BUCKET", "anthropic,REQUESTS,TOKEN_BUCKET",
			"anthropic,INPUT_TOKENS,TOKEN_BUCKET", "anthropic,OUTPUT_TOKENS,TOKEN_BUCKET", "groq,REQUESTS,TOKEN_BUCKET",
			"groq,TOKENS,TOKEN_BUCKET", "azure-openai,TOKENS,SLIDING_WINDOW", "gemini,TOKENS,SLIDING_WINDOW",
			"openai-compatible,REQUESTS,SLIDING_WINDOW", "openai-compatible,TOKENS,SLIDING_WINDOW",
			"generic,REQUESTS,SLIDING_WINDOW", "generic,TOKENS,SLIDING_WINDOW" })
	void algorithms(String dialect, Counted counts, LimitAlgorithm algorithm) {
		assertThat(Dialects.builtIn().get(dialect).algorithm(counts)).isEqualTo(algorithm);
	}

	@ParameterizedTest
	@CsvSource({ "openai,false,false,true", "azure-openai,false,false,true", "anthropic,true,false,true",
			"anthropic-compatible,true,true,true", "gemini,true,true,true", "vertex,true,true,true",
			"groq,true,false,true", "mistral,true,false,true", "together,true,false,true", "openrouter,true,true,true",
			"cohere,true,false,true", "xai,true,false,true", "bedrock,true,false,true",
			"openai-compatible,true,true,true", "generic,true,false,false" })
	void habits(String dialect, boolean givesBack, boolean inJson, boolean inStreams) {
		assertThat(Dialects.builtIn().get(dialect).givesBack()).isEqualTo(givesBack);
		assertThat(Dialects.builtIn().get(dialect).mayHideError(success("application/json"))).isEqualTo(inJson);
		assertThat(Dialects.builtIn().get(dialect).mayHideError(success("text/event-stream"))).isEqualTo(inStreams);
	}

	private static ResponseHead success(String contentType) {
		return new ResponseHead(200, (name) -> name.equals("content-type") ? contentType : null);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			openai            | {"max_tokens":64000} | 200 | 200 | 63800 | false
			openai            | {"max_tokens":100}   | 200 | 200 | 0     | false
			openai            | {}                   | 200 | 200 | 600   | true
			openai-compatible | {"max_tokens":64000} | 200 | 200 | 64000 | false
			azure-openai      | {"max_tokens":64000} | 200 | 200 | 64000 | false
			anthropic         | {"max_tokens":64000} | 200 | 200 | 600   | true
			gemini            | {"max_tokens":64000} | 200 | 200 | 0     | false
			groq              | {"max_tokens":64000} | 200 | 200 | 64000 | false
			bedrock           | {"max_tokens":64000} | 200 | 200 | 64000 | false
			generic           | {"max_tokens":100}   | 200 | 200 | 100   | false
			generic           | {"max_tokens":0}     | 200 | 200 | 0     | false
			generic           | {"max_tokens":100,"n":3} | 200 | 200 | 300 | false
			generic           | {"n":2}              | 200 | 200 | 600   | true
			""")
	void estimates(String dialect, String body, long inputTokens, long input, long output, boolean guess) {
		RequestFacts request = RequestFacts.scan(body.getBytes(StandardCharsets.UTF_8));
		assertThat(Dialects.builtIn().get(dialect).estimate(request, new TokenEstimate(inputTokens, 600, true)))
			.isEqualTo(new TokenEstimate(input, output, guess));
	}

	@Test
	void aDialectOfUsersNeedsOnlyAName() {
		ProviderDialect dialect = () -> "mine";
		ResponseHead head = new ResponseHead(429, (name) -> null);
		assertThat(dialect.baseUrls()).isEmpty();
		assertThat(dialect.algorithm(Counted.TOKENS)).isEqualTo(LimitAlgorithm.SLIDING_WINDOW);
		assertThat(dialect.classify(head, new byte[0]).outcome()).isEqualTo(CallOutcome.THROTTLED);
		assertThat(dialect.observe(head)).isSameAs(ObservedLimits.NONE);
		assertThat(dialect.usageReader(head).usage()).isNull();
		TokenEstimate expected = new TokenEstimate(5, 15, true);
		assertThat(dialect.estimate(RequestFacts.UNREADABLE, expected)).isEqualTo(expected);
		assertThat(dialect.givesBack()).isTrue();
		assertThat(dialect.mayHideError(success("text/event-stream"))).isFalse();
	}

	@Test
	void furtherStatusesAreReadLike429() {
		ProviderDialect dialect = ThrottleStatuses.of(Dialects.named("openai"), Set.of(420, 500));
		assertThat(classify(dialect, 420, "").outcome()).isEqualTo(CallOutcome.THROTTLED);
		assertThat(classify(dialect, 429, "").outcome()).isEqualTo(CallOutcome.THROTTLED);
		assertThat(classify(dialect, 500, "").outcome()).isEqualTo(CallOutcome.THROTTLED);
		assertThat(classify(dialect, 420, "{\"error\":{\"type\":\"insufficient_quota\"}}").outcome())
			.isEqualTo(CallOutcome.QUOTA_EXHAUSTED);
		assertThat(classify(dialect, 404, "").outcome()).isEqualTo(CallOutcome.REJECTED);
		assertThat(dialect.name()).isEqualTo("openai");
		assertThat(dialect.givesBack()).isFalse();
		assertThat(ThrottleStatuses.of(Dialects.named("openai"), Set.of())).isSameAs(Dialects.named("openai"));
	}

	private static ThrottleSignal classify(ProviderDialect dialect, int status, String body) {
		return dialect.classify(new ResponseHead(status, (name) -> null), body.getBytes(StandardCharsets.UTF_8));
	}

}
