package io.github.llmratelimit.token;

/**
 * How many characters of each kind a text has. Characters of one kind make about the same
 * number of tokens each.
 *
 * @param letters ASCII letters
 * @param digits ASCII digits
 * @param symbols other ASCII characters, blanks among them
 * @param han Chinese characters and full-width punctuation
 * @param syllabic Japanese and Korean syllables
 * @param alphabetic letters of other alphabets, such as accented Latin or Cyrillic
 * @param other everything else, such as emoji
 */
public record TextCounts(long letters, long digits, long symbols, long han, long syllabic, long alphabetic,
		long other) {

	/** No text. */
	public static final TextCounts NONE = new TextCounts(0, 0, 0, 0, 0, 0, 0);

}
