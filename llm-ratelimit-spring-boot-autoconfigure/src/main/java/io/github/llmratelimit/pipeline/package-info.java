/**
 * The way of one call from admission to its end.
 */
@NullMarked
package io.github.llmratelimit.pipeline;

import org.jspecify.annotations.NullMarked;
