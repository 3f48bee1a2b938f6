/**
 * Properties, and one auto-configuration for each concern.
 */
@NullMarked
package io.github.llmratelimit.autoconfigure;

import org.jspecify.annotations.NullMarked;
