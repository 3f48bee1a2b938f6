package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ProviderRegistryTests {

	private final ProviderRegistry registry = new ProviderRegistry(List.of(provider("openai", "https://api.openai.com"),
			provider("gateway", "https://Gateway.example.org/llm/"),
			provider("beta", "https://gateway.example.org/llm/beta", "http://localhost:8080/v1"),
			provider("plain", "http://plain.example.org:80"), provider("nowhere")));

	@ParameterizedTest
	@CsvSource(nullValues = "null", textBlock = """
			https://api.openai.com/v1/chat/completions,     openai
			https://api.openai.com,                         openai
			https://API.OpenAI.com:443/v1,                  openai
			HTTPS://api.openai.com/v1?x=/llm/beta#y,        openai
			http://api.openai.com/v1,                       null
			https://api.openai.com:8443/v1,                 null
			https://api.openai.com.evil.org/v1,             null
			https://eu.api.openai.com/v1,                   null
			https://gateway.example.org/llm,                gateway
			https://gateway.example.org/llm/,               gateway
			https://gateway.example.org/llm/v1/chat,        gateway
			https://gateway.example.org/llm/beta,           beta
			https://gateway.example.org/llm/beta/v1,        beta
			https://gateway.example.org/llm/betamax,        gateway
			https://gateway.example.org/llmx,               null
			https://gateway.example.org/LLM,                null
			https://gateway.example.org/,                   null
			http://localhost:8080/v1/embeddings,            beta
			http://localhost/v1/embeddings,                 null
			http://plain.example.org/anything,              plain
			/v1/chat/completions,                           null
			mailto:somebody@api.openai.com,                 null
			""")
	void findsByLongestBaseUrl(URI uri, String name) {
		Provider provider = this.registry.find(uri);
		assertThat((provider != null) ? provider.name() : null).isEqualTo(name);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "null", textBlock = """
			https://team.openai.example.com/openai/v1,      azure
			https://TEAM.OpenAI.example.com:443/openai/v1,  azure
			https://own.openai.example.com/v1,              own
			https://own.openai.example.com/v2,              azure
			https://openai.example.com/v1,                  null
			https://.openai.example.com/v1,                 null
			https://a.b.openai.example.com/v1,              null
			http://team.openai.example.com/v1,              null
			https://team.openai.example.com:8443/v1,        null
			https://us-east1-aiplatform.example.com/v1,     vertex
			https://-aiplatform.example.com/v1,             null
			https://runtime.us-east-1.example.com:8443/m,   runtime
			https://runtime.example.com:8443/m,             null
			https://runtime.us-east-1.example.com.evil.org:8443/m, null
			""")
	void findsByPattern(URI uri, String name) {
		ProviderRegistry registry = new ProviderRegistry(List.of(provider("azure", "https://*.OpenAI.example.com"),
				provider("own", "https://own.openai.example.com/v1"),
				provider("vertex", "https://*-aiplatform.example.com"),
				provider("runtime", "https://runtime.*.example.com:8443")));
		Provider provider = registry.find(uri);
		assertThat((provider != null) ? provider.name() : null).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://*.*.example.org", "https://*:x", "//*.example.org" })
	void refusesBrokenPatterns(String baseUrl) {
		assertThatIllegalArgumentException().isThrownBy(() -> new ProviderRegistry(List.of(provider("a", baseUrl))));
	}

	@Test
	void findsByName() {
		assertThat(this.registry.named("nowhere")).isNotNull();
		assertThat(this.registry.named("unknown")).isNull();
		assertThat(this.registry.providers()).extracting(Provider::name)
			.containsExactly("openai", "gateway", "beta", "plain", "nowhere");
	}

	@Test
	void refusesAmbiguity() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ProviderRegistry(
					List.of(provider("a", "https://example.org/v1"), provider("b", "https://EXAMPLE.org:443/v1/"))))
			.withMessage("base URL https://EXAMPLE.org:443/v1/ belongs to a and to b");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ProviderRegistry(List.of(provider("a"), provider("a"))))
			.withMessage("provider a is given twice");
	}

	@Test
	void refusesRelativeBaseUrl() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ProviderRegistry(List.of(provider("a", "api.example.org/v1"))))
			.withMessage("base URL of a: api.example.org/v1 (expected: scheme and host)");
	}

	private static Provider provider(String name, String... baseUrls) {
		return new Provider(name, DialectTable.generic(), Stream.of(baseUrls).map(URI::create).toList());
	}

}
