/**
 * LangChain4j's HTTP clients within limits.
 */
@NullMarked
package io.github.llmratelimit.langchain4j;

import org.jspecify.annotations.NullMarked;
