package io.github.llmratelimit.token;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TextCounterTests {

	private static final Map<TextKind, TextKind> RUNS = Map.of(TextKind.LETTER, TextKind.WORD, TextKind.DIGIT,
			TextKind.NUMBER, TextKind.SYMBOL, TextKind.SYMBOLS);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			two words          | WORD=2 LETTER=8
			abcXYZ             | WORD=1 LETTER=6 CAPITAL=2
			AN API, Of iPADoS  | WORD=4 LETTER=13 CAPITAL=5 SYMBOLS=1 SYMBOL=1
			@[`{/:az09AZ       | WORD=2 LETTER=4 CAPITAL=1 NUMBER=1 DIGIT=2 SYMBOLS=1 SYMBOL=6
			2026-11-30 18:12   | NUMBER=5 DIGIT=12 SYMBOLS=3 SYMBOL=3
			中文，标点。       | HAN=6
			ひらがなカタカナ   | KANA=8
			한국어             | HANGUL=3
			été Привет مرحبا   | WORD=1 LETTER=1 LATIN=2 CYRILLIC=6 ARABIC=5
			żółty việt שלום Ω  | WORD=3 LETTER=5 LATIN_EXTENDED=2 LATIN=1 LATIN_VIETNAMESE=1 HEBREW=4 GREEK=1
			नमस्ते สวัสดี       | INDIC=6 THAI=6
			😀→“½”             | OTHER=2 TYPOGRAPHY=3
			a中b文1            | WORD=2 LETTER=2 NUMBER=1 DIGIT=1 HAN=2
			""")
	void countsByKind(String text, String expected) {
		assertThat(describe(count(text))).isEqualTo(ordered(expected));
		assertThat(describe(count(escaped(text)))).as("escaped").isEqualTo(ordered(expected));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			a\\nb\\"c\\\\d\\/  | WORD=4 LETTER=4 SYMBOLS=3 SYMBOL=3 BREAK=1
			{\\n\\t\\tx\\r\\n} | WORD=1 LETTER=1 SYMBOLS=2 SYMBOL=2 BREAK=2
			=\\"\\u003d\\"x    | WORD=1 LETTER=1 SYMBOLS=1 SYMBOL=4
			no\\u0064e         | WORD=1 LETTER=4
			""")
	void countsEscapesAsWhatTheyMean(String text, String expected) {
		assertThat(describe(count(text))).isEqualTo(ordered(expected));
	}

	@Test
	void agreesWithCharacterByCharacterAtEveryLengthAndPlace() {
		Random random = new Random(3);
		for (int i = 0; i < 20_000; i++) {
			String text = random.ints(random.nextInt(31), 0, 14)
				.mapToObj((n) -> "aZB9 .~@ \u007f中é😀ひ".codePoints().toArray()[n])
				.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
				.toString();
			assertThat(describe(count(text))).as(text).isEqualTo(describe(slow(text)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "A line of 32 characters, 12345: ", "市政府昨天宣布，地铁四号线将于明年三月开通。", "Zażółć 12 gęślą jaźń: ",
			"😀 and 👍🏽, ", "ひらがなとカタカナ", "x = [1, 22, 333];  " })
	void estimatesKindsInLongTexts(String text) {
		TextCounts exact = slow(text.repeat(1000));
		for (String form : new String[] { text, escapedBeyondAscii(text) }) {
			TextCounts counts = count(form.repeat(1000));
			for (TextKind kind : TextKind.VALUES) {
				assertThat(counts.of(kind)).as("%s in %s", kind, form)
					.isCloseTo(exact.of(kind), within(exact.of(kind) / 8));
			}
		}
	}

	@Test
	void countsLettersThatAreNoWord() {
		assertThat(count("abcdefghijklmno ".repeat(20)).of(TextKind.UNBROKEN)).isZero();
		for (int length : new int[] { 100, 1000, 50_000 }) {
			assertThat(count("x".repeat(length)).of(TextKind.UNBROKEN)).isCloseTo(length - 15L,
					within(10L + length / 100));
		}
	}

	@Test
	void findsTheEndOfWhatIsNoText() {
		for (int length = 4000; length < 6000; length += 7) {
			for (String part : new String[] { "\u00bf", "\\", "\\u" }) {
				byte[] body = ("\"" + part.repeat(length)).getBytes(StandardCharsets.ISO_8859_1);
				assertThat(new TextCounter().count(body, 1, body.length)).isEqualTo(body.length);
			}
		}
	}

	@Test
	void estimatesWhatIsSpreadOverManyStrings() {
		byte[] body = "Some words. \\n\"".getBytes(StandardCharsets.UTF_8);
		TextCounter counter = new TextCounter();
		for (int i = 0; i < 5000; i++) {
			assertThat(counter.count(body, 0, body.length)).isEqualTo(body.length - 1);
		}
		assertThat(counter.counts().of(TextKind.LETTER)).isCloseTo(45_000, within(500L));
		assertThat(counter.counts().of(TextKind.BREAK)).isCloseTo(5000, within(100L));
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
		long[] counts = new long[TextKind.VALUES.size()];
		TextKind previous = null;
		int before = ' ';
		for (int c : text.codePoints().toArray()) {
			TextKind kind = kind(c);
			if (kind != null) {
				counts[kind.ordinal()]++;
			}
			if (kind != previous && kind != null && RUNS.containsKey(kind)) {
				counts[RUNS.get(kind).ordinal()]++;
			}
			counts[TextKind.CAPITAL.ordinal()] += (isCapital(c) && isCapital(before)) ? 1 : 0;
			before = c;
			previous = kind;
		}
		return new TextCounts(counts);
	}

	private static boolean isCapital(int c) {
		return c >= 'A' && c <= 'Z';
	}

	private static TextKind kind(int c) {
		if (c >= 0x80) {
			return TextKind.of(c);
		}
		if (c == ' ') {
			return null;
		}
		return Character.isLetter(c) ? TextKind.LETTER : Character.isDigit(c) ? TextKind.DIGIT : TextKind.SYMBOL;
	}

	private static Map<TextKind, Long> describe(TextCounts counts) {
		Map<TextKind, Long> found = new EnumMap<>(TextKind.class);
		TextKind.VALUES.stream()
			.filter((kind) -> counts.of(kind) > 0)
			.forEach((kind) -> found.put(kind, counts.of(kind)));
		return found;
	}

	private static Map<TextKind, Long> ordered(String expected) {
		Map<TextKind, Long> counts = new EnumMap<>(TextKind.class);
		for (String count : expected.split(" ")) {
			String[] parts = count.split("=");
			counts.put(TextKind.valueOf(parts[0]), Long.valueOf(parts[1]));
		}
		return counts;
	}

	private static String escapedBeyondAscii(String text) {
		return Pattern.compile("[^\\x00-\\x7f]")
			.matcher(text)
			.replaceAll((match) -> Matcher.quoteReplacement(escaped(match.group())));
	}

	private static String escaped(String text) {
		StringBuilder escaped = new StringBuilder();
		text.chars().forEach((c) -> escaped.append("\\u%04x".formatted(c)));
		return escaped.toString();
	}

}
