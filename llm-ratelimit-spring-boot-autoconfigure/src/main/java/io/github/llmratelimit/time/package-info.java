/**
 * The only reader of clocks, the scheduler on which everything waits, and threads that
 * wait.
 */
@NullMarked
package io.github.llmratelimit.time;

import org.jspecify.annotations.NullMarked;
