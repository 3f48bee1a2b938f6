package io.github.llmratelimit.autoconfigure;

/**
 * A kind of client whose calls are covered, contributed as a bean by the
 * auto-configuration that covers it.
 *
 * @param name the name shown by the endpoint
 */
record Integration(String name) {

}
