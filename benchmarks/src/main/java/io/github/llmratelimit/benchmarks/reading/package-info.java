/**
 * What it costs to understand an answer.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.reading;

import org.jspecify.annotations.NullMarked;
