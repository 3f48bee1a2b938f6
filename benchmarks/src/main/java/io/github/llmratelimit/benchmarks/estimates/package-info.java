/**
 * What it costs to reserve more than a call uses, in virtual time.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.estimates;

import org.jspecify.annotations.NullMarked;
