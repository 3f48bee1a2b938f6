package io.github.llmratelimit.provider;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.provider.vendor.Dialects;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However broken a response is, reading it neither throws nor invents anything.
 */
class BrokenInputTests {

	private static final int[] STATUSES = { 0, 200, 204, 400, 401, 403, 413, 429, 439, 500, 503, 999 };

	private static final String[] NAMES = { "retry-after", "retry-after-ms", "date", "content-type", "ratelimit",
			"ratelimit-policy", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "x-ratelimit-limit",
			"x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-limit-requests",
			"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "x-ratelimit-limit-tokens",
			"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "x-should-retry", "policy-id",
			"x-amzn-errortype", "anthropic-ratelimit-unified-status", "anthropic-ratelimit-unified-reset",
			"anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset" };

	private static final String[] FRAGMENTS = { "{", "}", "[", "]", "\"", "\\", ":", ",", "null", "true", "\n", "\r",
			"data:", "event: error", "\"error\":", "\"usage\":", "\"code\":", "\"message\":", "\"type\":\"error\"",
			"\"prompt_tokens\":", "429", "-1", "1e999", "99999999999999999999", "Limit 10, Used ", "Requested ",
			"try again in ", "5s", "\u4e2d", "\ud83d\ude00", "\\u12", "\u0000", "rate limit", "2026-08-31T10:00:59Z",
			"\"details\":", "\"retryDelay\":", "\"violations\":", "\"quotaId\":", "\"bytes\":\"",
			"eyJ0eXBlIjoiZXJyb3IifQ", "\"base_resp\":", "\"status_code\":", "\"error_code\":", "\"Response\":",
			"\"Error\":", "\"usageMetadata\":", "{\\\"error\\\":",
			"\u0000\u0000\u0000\u0020\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000" };

	static final Collection<DialectTable> DIALECTS = Dialects.builtIn().values();

	@ParameterizedTest
	@FieldSource("DIALECTS")
	void generatedResponses(ProviderDialect dialect) {
		Random random = new Random(17);
		for (int i = 0; i < 4_000; i++) {
			ResponseHead head = head(random);
			byte[] body = body(random);
			check(dialect, head, body, random);
		}
	}

	@ParameterizedTest
	@FieldSource("DIALECTS")
	void randomBytes(ProviderDialect dialect) {
		Random random = new Random(23);
		for (int i = 0; i < 1_000; i++) {
			byte[] body = new byte[random.nextInt(300)];
			random.nextBytes(body);
			check(dialect, head(random), body, random);
		}
	}

	@ParameterizedTest
	@MethodSource
	void hugeBodies(String beginning, String middle, String end) {
		byte[] huge = (beginning + middle.repeat(10_000_000 / middle.length()) + end).getBytes(StandardCharsets.UTF_8);
		check(Dialects.named("openai-compatible"), new ResponseHead(429, (name) -> null), huge, new Random(1));
		check(Dialects.named("openai-compatible"), new ResponseHead(200, (name) -> null), huge, new Random(1));
		byte[] large = (beginning + middle.repeat(20_000 / middle.length()) + end).getBytes(StandardCharsets.UTF_8);
		for (ProviderDialect dialect : DIALECTS) {
			check(dialect, new ResponseHead(429, (name) -> null), large, new Random(1));
			check(dialect, new ResponseHead(200, (name) -> null), large, new Random(1));
		}
	}

	static String[][] hugeBodies() {
		return new String[][] {
				{ "{\"error\":{\"message\":\"", "rate limit ", "\",\"code\":\"rate_limit_exceeded\"}}" },
				{ "{\"error\":{\"code\":\"", "x", "\"}}" }, { "", "[", "" }, { "", "{\"error\":", "" },
				{ "", "]}", "" },
				{ "{\"error\":{\"message\":\"", "try again in retry after limit used requested wait ", "\"}}" },
				{ "{\"error\":{\"message\":\"try again in ", "1", "\"}}" },
				{ "{\"error\":{\"message\":\"", "2026-08-31-", "\"}}" },
				{ "data: ", "{\"error\":\"x\"}\n\ndata: ", "" },
				{ "data: {\"usage\":{\"prompt_tokens\":", "9", "}}\n\n" }, { "", "data: \n", "" }, { "", "\r\n", "" },
				{ "<html>", "too many requests ", "</html>" }, { "{\"", "k", "\":1}" },
				{ "{\"a\":[", "0.123,", "0]}" } };
	}

	/**
	 * Whatever is kept of a body is a piece of bounded length, and only such pieces are
	 * searched: the rest is passed over once, byte by byte.
	 */
	@ParameterizedTest
	@MethodSource("hugeBodies")
	void hugeBodiesTakeLittleMemory(String beginning, String middle, String end) {
		byte[] body = (beginning + middle.repeat(10_000_000 / middle.length()) + end).getBytes(StandardCharsets.UTF_8);
		DialectTable dialect = Dialects.named("openrouter");
		ResponseHead head = new ResponseHead(429, (name) -> null);
		assertThat(new BodyReader(dialect, head).errorOf(body).text().length()).isLessThan(5 * JsonScanner.MAX_VALUE);
		assertThat(allocated(() -> dialect.classify(head, body))).isLessThan(300_000);
		ResponseHead success = new ResponseHead(200, (name) -> null);
		assertThat(allocated(() -> dialect.classify(success, body))).isLessThan(300_000);
		assertThat(allocated(() -> dialect.usageReader(success).read(ByteBuffer.wrap(body)))).isLessThan(300_000);
	}

	private static long allocated(Runnable action) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		action.run();
		long before = threads.getCurrentThreadAllocatedBytes();
		action.run();
		return threads.getCurrentThreadAllocatedBytes() - before;
	}

	private static void check(ProviderDialect dialect, ResponseHead head, byte[] body, Random random) {
		byte[] before = body.clone();
		assertSane(dialect.classify(head, body));
		dialect.observe(head).limits().forEach(BrokenInputTests::assertSane);
		UsageReader reader = dialect.usageReader(head);
		int cut = random.nextInt(body.length + 1);
		reader.read(ByteBuffer.wrap(body, 0, cut));
		reader.read(ByteBuffer.wrap(body, cut, body.length - cut));
		assertThat(reader.outputSeen()).isBetween(0L, 5L * body.length);
		if (reader.usage() != null) {
			assertThat(reader.usage().total()).isNotNegative();
		}
		if (reader.refusal() != null) {
			assertSane(reader.refusal());
			assertThat(reader.refusal().outcome()).isNotEqualTo(CallOutcome.SUCCESS);
		}
		assertThat(Arrays.equals(body, before)).isTrue();
	}

	private static void assertSane(ThrottleSignal signal) {
		assertThat(signal.hint() == null || !signal.hint().isNegative()).isTrue();
		assertThat(signal.reason() == null || signal.reason().length() <= 201).isTrue();
	}

	private static void assertSane(Observed limit) {
		assertThat(limit.limit() == null || limit.limit() >= 0).isTrue();
		assertThat(limit.remaining() == null || limit.remaining() >= 0).isTrue();
		assertThat(limit.reset() == null || !limit.reset().isNegative()).isTrue();
	}

	private static ResponseHead head(Random random) {
		Map<String, String> headers = new HashMap<>();
		for (int n = random.nextInt(6); n > 0; n--) {
			headers.put(NAMES[random.nextInt(NAMES.length)], fragments(random, 4));
		}
		return new ResponseHead(STATUSES[random.nextInt(STATUSES.length)], headers::get);
	}

	private static byte[] body(Random random) {
		byte[] body = fragments(random, 40).getBytes(StandardCharsets.UTF_8);
		return Arrays.copyOf(body, random.nextInt(body.length + 1));
	}

	private static String fragments(Random random, int most) {
		StringBuilder text = new StringBuilder();
		for (int n = random.nextInt(most); n > 0; n--) {
			text.append(FRAGMENTS[random.nextInt(FRAGMENTS.length)]);
		}
		return text.toString();
	}

}
