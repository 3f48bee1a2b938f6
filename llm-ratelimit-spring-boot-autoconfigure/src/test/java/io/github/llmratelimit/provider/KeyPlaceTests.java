package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.Map;

import io.github.llmratelimit.provider.vendor.Dialects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyPlace}, and for where dialects have their keys.
 */
class KeyPlaceTests {

	private static final URI URL = URI.create("https://api.acme.example/v1/chat");

	@ParameterizedTest
	@CsvSource({ "Bearer k1, k1", "bearer k1, k1", "'  Bearer   k1 ', k1", "Basic k1, Basic k1", "k1, k1" })
	void findsAKeyAfterItsScheme(String header, String key) {
		assertThat(KeyPlace.BEARER.find(URL, Map.of("authorization", header)::get)).isEqualTo(key);
		assertThat(KeyPlace.BEARER.find(URL, (name) -> null)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "https://h/p?key=k1, k1", "https://h/p?a=b&key=k1&c=d, k1", "https://h/p?keys=k1,", "https://h/p,",
			"https://h/p?monkey=k1," })
	void findsAKeyInTheQuery(URI url, String key) {
		assertThat(KeyPlace.queryParameter("key").find(url, (name) -> "header")).isEqualTo(key);
	}

	@ParameterizedTest
	@CsvSource({ "https://h/p, https://h/p?key=k+1%26", "https://h/p?a=%2F, https://h/p?a=%2F&key=k+1%26",
			"https://h/p?key=old&a=b, https://h/p?a=b&key=k+1%26", "https://h/p#part, https://h/p?key=k+1%26#part" })
	void putsAKeyIntoTheQuery(URI url, URI expected) {
		assertThat(KeyPlace.queryParameter("key").with(url, "k 1&")).isEqualTo(expected);
	}

	@Test
	void takesAKeyOutOfTheQuery() {
		KeyPlace place = KeyPlace.queryParameter("key");
		assertThat(place.without(URI.create("https://h/p?key=k1"))).isEqualTo(URI.create("https://h/p"));
		assertThat(place.without(URI.create("https://h/p?a=%2F&key=k1"))).isEqualTo(URI.create("https://h/p?a=%2F"));
		assertThat(place.without(URL)).isSameAs(URL);
	}

	@Test
	void leavesUrlsAloneIfTheKeyIsAHeader() {
		KeyPlace place = KeyPlace.header("key");
		URI url = URI.create("https://h/p?key=k1");
		assertThat(place.with(url, "k2")).isSameAs(url);
		assertThat(place.without(url)).isSameAs(url);
		assertThat(place.valueOf("k2")).isEqualTo("k2");
	}

	@ParameterizedTest
	@CsvSource({ "openai, /v1/chat/completions, authorization", "generic, /pay, authorization",
			"anthropic, /v1/messages, x-api-key", "anthropic, /v1/models, x-api-key",
			"azure-openai, /openai/deployments/d/chat/completions, api-key",
			"gemini, /v1beta/models/m:generateContent, x-goog-api-key",
			"gemini, /v1beta/openai/chat/completions, authorization", "deepseek, /chat/completions, authorization",
			"deepseek, /anthropic/v1/messages, x-api-key", "dashscope, /api/v1/services, authorization" })
	void dialectsPutKeysWhereTheProviderLooks(String dialect, String path, String header) {
		URI url = URI.create("https://h" + path);
		assertThat(Dialects.named(dialect).keyPlaces().stream().filter((place) -> place.appliesTo(url)).findFirst())
			.get()
			.extracting(KeyPlace::name)
			.isEqualTo(header);
	}

	@Test
	void ownDialectsSayWhereTheirsIs() {
		DialectTable acme = DialectTable.named("acme").key(KeyPlace.header("x-acme")).build();
		assertThat(acme.keyPlaces()).containsExactly(KeyPlace.header("x-acme"));
		assertThat(DialectTable.named("other").like(acme).build().keyPlaces()).isEqualTo(acme.keyPlaces());
		assertThat(DialectTable.named("plain").build().keyPlaces()).containsExactly(KeyPlace.BEARER);
		assertThat(new ProviderDialect() {

			@Override
			public String name() {
				return "minimal";
			}

		}.keyPlaces()).containsExactly(KeyPlace.BEARER);
	}

}
