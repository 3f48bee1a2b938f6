/**
 * The way in for OkHttp, and for what is built on it: an interceptor.
 */
@NullMarked
package io.github.llmratelimit.okhttp;

import org.jspecify.annotations.NullMarked;
