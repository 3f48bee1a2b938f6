/**
 * What refusals cost, and what follows from them, in virtual time.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.refusals;

import org.jspecify.annotations.NullMarked;
