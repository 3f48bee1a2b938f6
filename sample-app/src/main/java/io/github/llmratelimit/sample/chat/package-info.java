/**
 * An application that talks to a provider through an ordinary {@code WebClient.Builder};
 * the starter is only on its class path and in its {@code application.yml}.
 */
@NullMarked
package io.github.llmratelimit.sample.chat;

import org.jspecify.annotations.NullMarked;
