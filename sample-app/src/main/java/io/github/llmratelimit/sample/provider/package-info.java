/**
 * The provider's side: a simulated provider inside the application, and a client for it.
 */
@NullMarked
package io.github.llmratelimit.sample.provider;

import org.jspecify.annotations.NullMarked;
