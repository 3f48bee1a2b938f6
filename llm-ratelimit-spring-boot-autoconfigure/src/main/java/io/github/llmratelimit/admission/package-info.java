/**
 * Who goes when: the queue of each provider, and the permits it hands out.
 */
@NullMarked
package io.github.llmratelimit.admission;

import org.jspecify.annotations.NullMarked;
