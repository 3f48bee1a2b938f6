/**
 * What each provider's requests cost and what its responses mean: limits, refusals, hints
 * and usage. Pure: no clock, no threads, no framework; a dialect is a table, read by one
 * classifier, one reader of limits and one reader of usage.
 */
@NullMarked
package io.github.llmratelimit.provider;

import org.jspecify.annotations.NullMarked;
