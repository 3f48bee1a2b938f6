/**
 * Every way in which an application may call its provider, one small page of code for
 * each, and a program that runs them all.
 */
@NullMarked
package io.github.llmratelimit.sample.ways;

import org.jspecify.annotations.NullMarked;
