/**
 * Means of testing that all packages share.
 */
@NullMarked
package io.github.llmratelimit.testing;

import org.jspecify.annotations.NullMarked;
