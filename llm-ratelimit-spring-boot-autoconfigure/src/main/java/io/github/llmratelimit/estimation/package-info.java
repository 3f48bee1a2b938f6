/**
 * How many tokens a call will use, as far as earlier calls tell: for every way in.
 */
@NullMarked
package io.github.llmratelimit.estimation;

import org.jspecify.annotations.NullMarked;
