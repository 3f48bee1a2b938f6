/**
 * A simulated LLM provider with real limits: one state machine that takes the time as an
 * argument, and two faces, in process and over HTTP.
 */
@NullMarked
package io.github.llmratelimit.simulator;

import org.jspecify.annotations.NullMarked;
