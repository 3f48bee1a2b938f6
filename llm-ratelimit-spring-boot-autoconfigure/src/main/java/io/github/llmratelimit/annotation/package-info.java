/**
 * Methods that wait their turn because of an annotation.
 */
@NullMarked
package io.github.llmratelimit.annotation;

import org.jspecify.annotations.NullMarked;
