/**
 * How many tokens a request will use, from its body alone. Pure: no clock, no threads, no
 * framework.
 */
@NullMarked
package io.github.llmratelimit.token;

import org.jspecify.annotations.NullMarked;
