/**
 * What a decision costs when it is granted at once.
 */
@NullMarked
package io.github.llmratelimit.benchmarks.acquire;

import org.jspecify.annotations.NullMarked;
