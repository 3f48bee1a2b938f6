/**
 * The comparison: the same calls by several strategies side by side, each against a
 * simulated provider of its own.
 */
@NullMarked
package io.github.llmratelimit.sample.demo;

import org.jspecify.annotations.NullMarked;
