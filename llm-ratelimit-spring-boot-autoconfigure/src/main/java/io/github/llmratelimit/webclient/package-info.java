/**
 * The way in for WebClient: measures a request, waits for its permit, and reads the
 * response as it streams by.
 */
@NullMarked
package io.github.llmratelimit.webclient;

import org.jspecify.annotations.NullMarked;
