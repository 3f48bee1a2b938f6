/**
 * What the filter adds to an exchange over HTTP.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
