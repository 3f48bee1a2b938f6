package io.github.llmratelimit.provider;

/**
 * A part of a text and what it means.
 *
 * @param text the words, in lower case
 * @param meaning what they mean
 * @param overridesCodes whether they say more than any code beside them
 */
record Phrase(String text, Meaning meaning, boolean overridesCodes) {

}
