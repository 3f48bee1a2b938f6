/**
 * A tool for whoever holds a strange response in hands: what the library makes of it.
 */
@NullMarked
package io.github.llmratelimit.sample.explain;

import org.jspecify.annotations.NullMarked;
