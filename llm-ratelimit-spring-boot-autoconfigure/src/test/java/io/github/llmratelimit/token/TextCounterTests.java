package io.github.llmratelimit.token;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TextCounterTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			abcXYZ             | 6 | 0 | 0 | 0 | 0 | 0 | 0
			@[`{/:az09AZ       | 4 | 2 | 6 | 0 | 0 | 0 | 0
			2026-11-30 18:12   | 0 | 12 | 4 | 0 | 0 | 0 | 0
			中文，标点。       | 0 | 0 | 0 | 6 | 0 | 0 | 0
			ひらがなカタカナ   | 0 | 0 | 0 | 0 | 8 | 0 | 0
			한국어             | 0 | 0 | 0 | 0 | 3 | 0 | 0
			été Привет مرحبا   | 1 | 0 | 2 | 0 | 0 | 13 | 0
			😀→½               | 0 | 0 | 0 | 0 | 0 | 0 | 3
			a中b文1            | 2 | 1 | 0 | 2 | 0 | 0 | 0
			""")
	void countsByKind(String text, long letters, long digits, long symbols, long han, long syllabic, long alphabetic,
			long other) {
		TextCounts expected = new TextCounts(letters, digits, symbols, han, syllabic, alphabetic, other);
		assertThat(count(text)).isEqualTo(expected);
		assertThat(count(escaped(text))).as("escaped").isEqualTo(expected);
	}

	@Test
	void countsEscapesAsOneCharacter() {
		assertThat(count("a\\nb\\\"c\\\\d\\/\\t")).isEqualTo(new TextCounts(4, 0, 5, 0, 0, 0, 0));
	}

	@Test
	void agreesWithCharacterByCharacterAtEveryLengthAndPlace() {
		Random random = new Random(3);
		for (int i = 0; i < 20_000; i++) {
			String text = random.ints(random.nextInt(31), 0, 14)
				.mapToObj((n) -> "aZ09 .~@ \u007f中é😀ひ".codePoints().toArray()[n])
				.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
				.toString();
			assertThat(count(text)).as(text).isEqualTo(slow(text));
		}
	}

	@Test
	void estimatesKindsInLongRuns() {
		String text = "A line of 32 characters, 12345: ".repeat(1000);
		TextCounts counts = count(text);
		TextCounts exact = slow(text);
		assertThat(counts.letters()).isCloseTo(exact.letters(), within(exact.letters() / 20));
		assertThat(counts.digits()).isCloseTo(exact.digits(), within(exact.digits() / 10));
		assertThat(counts.letters() + counts.digits() + counts.symbols()).isEqualTo(text.length());
	}

	@Test
	void findsTheClosingQuote() {
		for (int length = 0; length < 40; length++) {
			byte[] body = ("x".repeat(length) + "\\\"\\\\中\" rest").getBytes(StandardCharsets.UTF_8);
			int quote = length + 7;
			assertThat(TextCounter.skip(body, 0, body.length)).isEqualTo(quote);
			assertThat(new TextCounter().count(body, 0, body.length)).isEqualTo(quote);
			assertThat(TextCounter.skip(body, 0, quote)).isEqualTo(quote);
			assertThat(new TextCounter().count(body, 0, quote)).isEqualTo(quote);
		}
	}

	private static TextCounts count(String text) {
		byte[] body = (text + '"').getBytes(StandardCharsets.UTF_8);
		TextCounter counter = new TextCounter();
		assertThat(counter.count(body, 0, body.length)).isEqualTo(body.length - 1);
		return counter.counts();
	}

	private static TextCounts slow(String text) {
		long[] counts = new long[7];
		text.codePoints().forEach((c) -> {
			if (c >= 0x80) {
				counts[3 + Script.of(c).ordinal()]++;
			}
			else {
				counts[Character.isLetter(c) ? 0 : Character.isDigit(c) ? 1 : 2]++;
			}
		});
		return new TextCounts(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]);
	}

	private static String escaped(String text) {
		StringBuilder escaped = new StringBuilder();
		text.chars().forEach((c) -> escaped.append("\\u%04x".formatted(c)));
		return escaped.toString();
	}

}
