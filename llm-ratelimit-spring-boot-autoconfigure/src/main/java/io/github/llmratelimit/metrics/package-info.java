/**
 * The meters.
 */
@NullMarked
package io.github.llmratelimit.metrics;

import org.jspecify.annotations.NullMarked;
