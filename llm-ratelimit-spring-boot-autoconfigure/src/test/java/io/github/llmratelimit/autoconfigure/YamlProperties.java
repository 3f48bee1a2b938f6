package io.github.llmratelimit.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ByteArrayResource;

/**
 * Binds properties from YAML text.
 */
final class YamlProperties {

	private YamlProperties() {
	}

	/**
	 * Bind the properties.
	 * @param yaml what stands below {@code llm.ratelimit}
	 * @return the properties
	 */
	static LlmRateLimitProperties bind(String yaml) {
		String document = "llm:\n  ratelimit:\n" + yaml.indent(4);
		try {
			return new Binder(ConfigurationPropertySources.from(new YamlPropertySourceLoader().load("test",
					new ByteArrayResource(document.getBytes(StandardCharsets.UTF_8)))))
				.bindOrCreate(LlmRateLimitProperties.PREFIX, LlmRateLimitProperties.class);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
