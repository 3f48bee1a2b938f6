/**
 * The limits of one account as a state machine: pure arithmetic, with the time as an
 * argument.
 */
@NullMarked
package io.github.llmratelimit.limit;

import org.jspecify.annotations.NullMarked;
