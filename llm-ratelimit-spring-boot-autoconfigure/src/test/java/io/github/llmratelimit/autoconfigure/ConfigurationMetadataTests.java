package io.github.llmratelimit.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.llmratelimit.alerts.WebhookFormat;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an editor knows about the properties.
 */
class ConfigurationMetadataTests {

	private static final String DEFAULTS = "llm.ratelimit.defaults";

	private static final String PROVIDER_KEY = "openai.";

	private final JsonNode metadata = read();

	@Test
	void describesEveryProperty() {
		Map<String, String> descriptions = descriptions();
		assertThat(descriptions).containsKeys("llm.ratelimit.enabled", "llm.ratelimit.providers",
				"llm.ratelimit.alerts.webhook-url", "llm.ratelimit.alerts.format", "llm.ratelimit.problem-responses",
				DEFAULTS + ".limits.requests-per-minute", DEFAULTS + ".backoff.max-attempts",
				"management.health.llm-ratelimit.enabled", "management.endpoint.ratelimit.access");
		assertThat(descriptions.keySet()).filteredOn((name) -> name.startsWith(DEFAULTS))
			.containsExactlyInAnyOrderElementsOf(namesOf(DEFAULTS, ProviderProperties.class));
		assertThat(descriptions).allSatisfy((name, description) -> assertThat(description).as(name)
			.matches("[A-Z](?s).*\\.")
			.doesNotStartWith("The ")
			.doesNotStartWith("A "));
	}

	@Test
	void hintsAtEveryKeyOfProvider() {
		Map<String, String> hints = new TreeMap<>();
		for (JsonNode value : hint("llm.ratelimit.providers.keys")) {
			String key = value.get("value").asString();
			if (key.startsWith(PROVIDER_KEY)) {
				hints.put(key.substring(PROVIDER_KEY.length()), value.get("description").asString());
			}
		}
		Map<String, String> expected = new TreeMap<>();
		descriptions().forEach((name, description) -> {
			if (name.startsWith(DEFAULTS + ".")) {
				expected.put(name.substring(DEFAULTS.length() + 1), description);
			}
		});
		assertThat(hints).isEqualTo(expected);
	}

	@Test
	void hintsAtDialects() {
		assertThat(hint(DEFAULTS + ".dialect")).extracting((value) -> value.get("value").asString())
			.containsExactlyInAnyOrderElementsOf(KnownDialects.of(Stream.empty()).names());
	}

	@Test
	void hintsAtFormatsOfAlerts() {
		assertThat(hint("llm.ratelimit.alerts.format")).extracting((value) -> value.get("value").asString())
			.containsExactlyElementsOf(Arrays.stream(WebhookFormat.values())
				.map((format) -> format.name().toLowerCase(Locale.ROOT))
				.toList());
	}

	private Map<String, String> descriptions() {
		Map<String, String> descriptions = new LinkedHashMap<>();
		for (JsonNode property : this.metadata.get("properties")) {
			JsonNode description = property.get("description");
			descriptions.put(property.get("name").asString(), (description != null) ? description.asString() : "");
		}
		return descriptions;
	}

	private JsonNode hint(String name) {
		for (JsonNode hint : this.metadata.get("hints")) {
			if (hint.get("name").asString().equals(name)) {
				return hint.get("values");
			}
		}
		throw new AssertionError("no hint " + name);
	}

	private static TreeSet<String> namesOf(String prefix, Class<?> type) {
		TreeSet<String> names = new TreeSet<>();
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
			names.addAll(component.getType().isRecord() ? namesOf(name, component.getType()) : List.of(name));
		}
		return names;
	}

	private static JsonNode read() {
		try (InputStream json = new ClassPathResource("META-INF/spring-configuration-metadata.json",
				LlmRateLimitProperties.class.getClassLoader())
			.getInputStream()) {
			return JsonMapper.shared().readTree(json);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

}
