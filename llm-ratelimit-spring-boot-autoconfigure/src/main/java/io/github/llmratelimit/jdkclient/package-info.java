/**
 * The way in for the HttpClient of the JDK: a client around a client, which measures a
 * request, waits for its permit, and reads the response as it streams by.
 */
@NullMarked
package io.github.llmratelimit.jdkclient;

import org.jspecify.annotations.NullMarked;
