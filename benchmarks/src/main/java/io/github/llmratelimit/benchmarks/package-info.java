/**
 * Figures of the library beside those of its peers, from the same run.
 */
@NullMarked
package io.github.llmratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;
