/**
 * Where limits live: the port, and the store inside this process.
 */
@NullMarked
package io.github.llmratelimit.store;

import org.jspecify.annotations.NullMarked;
