/**
 * Applications that call a simulated provider in virtual time, and what they do about its
 * limits.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
