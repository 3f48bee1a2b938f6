/**
 * The only reader of clocks, and the scheduler on which everything waits.
 */
@NullMarked
package io.github.llmratelimit.time;

import org.jspecify.annotations.NullMarked;
