/**
 * What operators see: the endpoint and the health contributor.
 */
@NullMarked
package io.github.llmratelimit.actuate;

import org.jspecify.annotations.NullMarked;
