/**
 * The limits of accounts as Resilience4j rate limiters.
 */
@NullMarked
package io.github.llmratelimit.resilience4j;

import org.jspecify.annotations.NullMarked;
