package io.github.llmratelimit.provider;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

class DurationTextTests {

	private static final String DATE = "Mon, 31 Aug 2026 10:00:00 GMT";

	private static final DurationText DURATIONS = new DurationText(DATE, ZoneOffset.UTC);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2                             | PT2S
			0                             | PT0S
			86400                         | PT24H
			277403                        | PT277403S
			2678400                       | PT744H
			0.5                           | PT0.5S
			1.234                         | PT1.234S
			55                            | PT55S
			6m0s                          | PT6M
			17ms                          | PT0.017S
			1ms                           | PT0.001S
			1m                            | PT1M
			1m30s                         | PT1M30S
			2m59.56s                      | PT2M59.56S
			7m12s                         | PT7M12S
			23h47m36.648s                 | PT23H47M36.648S
			9m38.016s                     | PT9M38.016S
			34.074824224s                 | PT34.074824224S
			539.477544ms                  | PT0.539477544S
			250us                         | PT0.00025S
			2 seconds                     | PT2S
			1 hour 5 minutes              | PT1H5M
			1 hour and 5 minutes          | PT1H5M
			1 hour, 5 min, 3 secs         | PT1H5M3S
			1500 milliseconds             | PT1.5S
			250µs                         | PT0.00025S
			1.5h                          | PT1H30M
			3d                            | PT72H
			00:05:12                      | PT5M12S
			36:00:00                      | PT36H
			1.02:03:04                    | PT26H3M4S
			5 秒                          | PT5S
			5秒钟                         | PT5S
			1分30秒                       | PT1M30S
			1 小时 5 分钟                 | PT1H5M
			2 个小时                      | PT2H
			200毫秒                       | PT0.2S
			3天                           | PT72H
			Mon, 31 Aug 2026 10:00:30 GMT | PT30S
			Mon, 31 Aug 2026 09:59:30 GMT | PT0S
			2026-08-31T10:00:59Z          | PT59S
			2026-08-31T10:00:59.5Z        | PT59.5S
			2026-08-31T12:01:00+02:00     | PT1M
			2026-08-31 10:09:21           | PT9M21S
			2026-08-31T09:00:00Z          | PT0S
			2026-08-31t10:00:59z          | PT59S
			2026-08-31 10:00:59 UTC       | PT59S
			2026-08-31 10:01 GMT          | PT1M
			2026-08-31 at 10:01 UTC       | PT1M
			2026-08-31T12:01:00.25+0200   | PT1M0.25S
			2026-08-31 18:01:00 +0800     | PT1M
			2026-08-31T05:01:00-05:00     | PT1M
			Tue, 1 Sep 2026 10:00:00 GMT  | PT24H
			Mon, 31 Aug 2026 12:00:30 +0200 | PT30S
			1788170460                    | PT1M
			1788170460000                 | PT1M
			1788170400                    | PT0S
			1700000000                    | PT0S
			""")
	void readsEveryForm(String text, Duration expected) {
		assertThat(DURATIONS.parse(text)).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "-1", "-2", "-5", "+5", "NaN", "Infinity", "1e5", "0x10", "5.", ".5", "1,5",
			"5 6", "5s6", "s", "5x", "soon", "Mon, 31 Foo 2026 10:00:00 GMT", "2026-13-45T99:99:99Z", "2026-08-31",
			"99999999999999999999", "9999999999999999", "999999999999999h", "99999999999999d", "1m-5s",
			"2026-08-31T10:00:59Zx", "５", "Mon, 31 Aug 2026", "Mon, 31 Aug 2026 10:00:30",
			"Mon, 31 Aug 2026 25:00:30 GMT", "Mon, 31 anF 2026 10:00:30 GMT", "Mon, 32 Aug 2026 10:00:30 GMT", "Mon,",
			"2026-02-29T10:00:00Z", "2026-08-31T10:60:00Z", "2026-08-31T24:00:00Z", "2026/08/31 10:00:00", "05:12",
			"0:5:12", "00:05:1", "9999999999999.00:00:00", "5 sx", "5秒s", "292y", "106752d" })
	void isUnknownWhenMalformed(String text) {
		assertThat(DURATIONS.parse(text)).isNull();
	}

	@Test
	void isUnknownWhenAbsent() {
		assertThat(DURATIONS.parse(null)).isNull();
		assertThat(DURATIONS.parseMillis(null)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Mon, 31 Aug 2026 10:00:30 GMT", "2026-08-31T10:00:59Z", "1788170460", "1788170460000" })
	void momentsAreUnknownWithoutDate(String text) {
		assertThat(new DurationText(null, ZoneOffset.UTC).parse(text)).isNull();
		assertThat(new DurationText("yesterday", ZoneOffset.UTC).parse(text)).isNull();
	}

	@Test
	void momentsWithoutZoneAreLocal() {
		DurationText beijing = new DurationText("Sun, 23 Aug 2026 16:00:00 GMT", ZoneOffset.ofHours(8));
		assertThat(beijing.parse("2026-08-24 00:09:21")).isEqualTo(Duration.ofSeconds(561));
	}

	@ParameterizedTest
	@CsvSource({ "1500,PT1.5S", "1500.5,PT1.5005S", "0,PT0S", "18,PT0.018S" })
	void readsMilliseconds(String text, Duration expected) {
		assertThat(DURATIONS.parseMillis(text)).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-1", "1.5s", "NaN", "99999999999999999999" })
	void millisecondsAreUnknownWhenMalformed(String text) {
		assertThat(DURATIONS.parseMillis(text)).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			Please try again in 456ms. Visit https://platform.openai.com            | PT0.456S
			Please try again in 20s. Visit                                          | PT20S
			Please try again in 7m12s.                                              | PT7M12S
			try again in 6.379s                                                     | PT6.379S
			Please retry after 2 seconds. Please go here                            | PT2S
			Please retry in 44.097740004s.                                          | PT44.097740004S
			please try again after 1 seconds                                        | PT1S
			please try again after 0 seconds                                        | PT0S
			Your quota will reset after 10m                                         | PT10M
			Rate limit is exceeded. Try again in 12 seconds.                        | PT12S
			Please try again in 1 hour and 5 minutes.                               | PT1H5M
			Out of call volume quota. Quota will be replenished in 00:05:12.        | PT5M12S
			Please wait 30 seconds before retrying                                  | PT30S
			请 5 秒后重试                                                           | PT5S
			请在5秒之后再试                                                         | PT5S
			请等待 30 秒                                                            | PT30S
			当前请求过多，请1分30秒后再试                                           | PT1M30S
			每分钟限制 60 次，请 2 分钟后重试                                       | PT2M
			超过了每秒频率上限 `5`，请稍后重试。                                    | null
			请在 2026-08-31 10:09:21 后重试                                         | null
			最近 5 分钟内请求过多，请稍后重试                                       | null
			Please reduce your message size and try again.                          | null
			Please try again in a moment, or retry in 3s                            | PT3S
			please retry later                                                      | null
			retry after 5                                                           | null
			wait a bit                                                              | null
			""")
	void readsProse(String text, Duration expected) {
		assertThat(DurationText.inProse(text.toLowerCase(Locale.ROOT))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			usage limit exceeded, resets at 2026-08-31T13:00:00Z (2056)     | PT3H
			将在 2026-08-31 10:09:21 重置                                   | PT9M21S
			gpt-4o-2024-08-06 is busy, back at 2026-08-31T10:00:01.250Z.    | PT1.25S
			you will regain access on 2026-08-31 at 10:01 utc.              | PT1M
			请在 2026-08-31 10:09:21 后重试                                 | PT9M21S
			resets at 2026-08-31 18:01:00 +0800 cst                         | PT1M
			gpt-4o-2024-08-06 is busy                                       | null
			2026-08-31 is not a moment, nor is 2026-13-31 10:00:00          | null
			2026-08-3                                                       | null
			""")
	void readsDatesInProse(String text, Duration expected) {
		assertThat(DURATIONS.untilDateInProse(text)).isEqualTo(expected);
	}

	@Test
	void longTextsTakeLinearTime() {
		for (String part : List.of("1", "1s", "1 ", "wait ", "2026-08-31 10:00:00.", "-", "1.", "1秒", "后",
				"wait 1h1")) {
			String text = part.repeat(1_000_000 / part.length()) + "后";
			assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
				DurationText.inProse(text);
				DURATIONS.untilDateInProse(text);
			}, part);
		}
	}

	@Test
	void neverThrowsAndIsNeverNegative() {
		Random random = new Random(11);
		String alphabet = "0123456789.-+:TZ hmsdnu,GMTAugon\u00b5\u4e2d\u79d2\u540e";
		for (int i = 0; i < 100_000; i++) {
			String text = random.ints(random.nextInt(40), 0, alphabet.length())
				.collect(StringBuilder::new, (b, n) -> b.append(alphabet.charAt(n)), StringBuilder::append)
				.toString();
			Duration duration = DURATIONS.parse(text);
			assertThat(duration == null || !duration.isNegative()).as(text).isTrue();
			DURATIONS.parseMillis(text);
			DurationText.inProse("retry in " + text);
			DURATIONS.untilDateInProse(text);
		}
	}

}
