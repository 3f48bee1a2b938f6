/**
 * What people and applications are told: events, and messages to a webhook.
 */
@NullMarked
package io.github.llmratelimit.alerts;

import org.jspecify.annotations.NullMarked;
