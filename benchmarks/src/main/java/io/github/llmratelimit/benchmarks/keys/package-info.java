/**
 * What several keys bring.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.keys;

import org.jspecify.annotations.NullMarked;
