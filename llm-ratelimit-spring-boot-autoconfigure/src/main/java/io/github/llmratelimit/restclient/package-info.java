/**
 * RestClient and RestTemplate within the limits of the providers they call.
 */
@NullMarked
package io.github.llmratelimit.restclient;

import org.jspecify.annotations.NullMarked;
