package io.github.llmratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * A property that is wrong or missing.
 *
 * @param name name of the property
 * @param value its value, {@code null} if it is missing
 * @param reason what is wrong, as the end of a sentence about the property
 * @param remedy what to do, as a sentence
 */
record InvalidProperty(ConfigurationPropertyName name, @Nullable Object value, String reason, String remedy) {

}
