/**
 * How long interactive calls wait beside a batch that would take everything.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.priorities;

import org.jspecify.annotations.NullMarked;
