/**
 * What the clients of a web application see when a call was not admitted.
 */
@NullMarked
package io.github.llmratelimit.web;

import org.jspecify.annotations.NullMarked;
