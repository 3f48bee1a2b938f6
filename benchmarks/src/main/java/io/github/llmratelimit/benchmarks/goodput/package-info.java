/**
 * How near to the physical bound a batch gets, and how many refusals it costs, in virtual
 * time.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.goodput;

import org.jspecify.annotations.NullMarked;
