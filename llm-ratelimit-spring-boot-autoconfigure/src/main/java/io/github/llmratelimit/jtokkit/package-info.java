/**
 * Prompts counted by their real vocabulary.
 */
@NullMarked
package io.github.llmratelimit.jtokkit;

import org.jspecify.annotations.NullMarked;
