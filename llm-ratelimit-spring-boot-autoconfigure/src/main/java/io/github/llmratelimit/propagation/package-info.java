/**
 * What surrounds a call travels between threads and the Reactor context by Micrometer's
 * context propagation, where that is set up.
 */
@NullMarked
package io.github.llmratelimit.propagation;

import org.jspecify.annotations.NullMarked;
