/**
 * The starter at work: an application to talk to, and a comparison to watch.
 */
@NullMarked
package io.github.llmratelimit.sample;

import org.jspecify.annotations.NullMarked;
