/**
 * The way in for the vendors' own SDKs, openai-java and anthropic-java: decorators of
 * their HTTP clients.
 */
@NullMarked
package io.github.llmratelimit.sdk;

import org.jspecify.annotations.NullMarked;
