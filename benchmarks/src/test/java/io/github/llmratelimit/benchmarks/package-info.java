/**
 * Tests of the benchmarks themselves.
 */
@NullMarked
package io.github.llmratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;
