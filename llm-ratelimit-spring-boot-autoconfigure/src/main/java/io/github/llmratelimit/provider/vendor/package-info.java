/**
 * The built-in dialects, one table each.
 */
@NullMarked
package io.github.llmratelimit.provider.vendor;

import org.jspecify.annotations.NullMarked;
