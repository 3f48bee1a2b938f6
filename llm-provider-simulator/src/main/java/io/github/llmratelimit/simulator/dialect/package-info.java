/**
 * How the simulated providers speak: one file each for what a request asks, and for what
 * answers, refusals and limits look like. It decides nothing and keeps no state.
 */
@NullMarked
package io.github.llmratelimit.simulator.dialect;

import org.jspecify.annotations.NullMarked;
