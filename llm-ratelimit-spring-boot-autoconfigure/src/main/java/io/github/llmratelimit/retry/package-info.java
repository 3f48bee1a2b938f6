/**
 * Whether a refused call is sent again, and after how long.
 */
@NullMarked
package io.github.llmratelimit.retry;

import org.jspecify.annotations.NullMarked;
