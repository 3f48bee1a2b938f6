/**
 * What a waiting call costs, beside its peers.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.waiters;

import org.jspecify.annotations.NullMarked;
