/**
 * The way in for RestClient and RestTemplate: measures a request, lets its thread wait
 * for a permit, and reads the response as it streams by.
 */
@NullMarked
package io.github.llmratelimit.restclient;

import org.jspecify.annotations.NullMarked;
