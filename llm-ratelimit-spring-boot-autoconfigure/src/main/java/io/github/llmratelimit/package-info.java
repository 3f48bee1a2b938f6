/**
 * The vocabulary: what a call, a limit, a permit and an outcome are.
 */
@NullMarked
package io.github.llmratelimit;

import org.jspecify.annotations.NullMarked;
