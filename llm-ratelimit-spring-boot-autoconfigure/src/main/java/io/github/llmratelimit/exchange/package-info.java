/**
 * What all HTTP clients have in common: which provider a request goes to, what it may
 * cost, with which key it is sent, and what comes back.
 */
@NullMarked
package io.github.llmratelimit.exchange;

import org.jspecify.annotations.NullMarked;
