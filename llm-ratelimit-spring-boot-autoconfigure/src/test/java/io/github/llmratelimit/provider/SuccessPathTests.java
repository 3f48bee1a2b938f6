package io.github.llmratelimit.provider;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import io.github.llmratelimit.provider.vendor.Dialects;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Most responses are successes, so that reading one must cost little.
 */
class SuccessPathTests {

	static final List<String> DIALECTS = List.copyOf(Dialects.builtIn().keySet());

	private static final Map<String, String> HEADERS = Map.of("content-type", "text/event-stream", "date",
			"Mon, 31 Aug 2026 10:00:00 GMT", "x-ratelimit-limit-requests", "60", "x-ratelimit-remaining-requests", "59",
			"x-ratelimit-reset-requests", "1s", "x-ratelimit-limit-tokens", "150000", "x-ratelimit-remaining-tokens",
			"149984", "x-ratelimit-reset-tokens", "6m0s");

	private static final byte[] CHUNK = """
			data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4o","choices":[{"index":0,"delta":{"content":"Hello"},"logprobs":null,"finish_reason":null}],"usage":null}

			"""
		.getBytes(StandardCharsets.UTF_8);

	@ParameterizedTest
	@FieldSource("DIALECTS")
	void looksUpEachHeaderOnce(String name) {
		List<String> looked = new ArrayList<>();
		Dialects.named(name).observe(new ResponseHead(200, (header) -> {
			looked.add(header);
			return HEADERS.get(header);
		}));
		assertThat(looked).doesNotHaveDuplicates().hasSizeLessThan(30);
	}

	@ParameterizedTest
	@FieldSource("DIALECTS")
	void allocatesNothingForEventsWithoutNews(String name) {
		UsageReader reader = Dialects.named(name).usageReader(new ResponseHead(200, HEADERS::get));
		ByteBuffer chunk = ByteBuffer.wrap(CHUNK);
		assertThat(allocatedPerCall(() -> reader.read(chunk))).isLessThan(8);
	}

	@Test
	void allocatesLittleForAnnouncedLimits() {
		ResponseHead head = new ResponseHead(200, HEADERS::get);
		assertThat(allocatedPerCall(() -> Dialects.named("openai").observe(head))).isLessThan(1500);
	}

	private static long allocatedPerCall(Runnable action) {
		int calls = 1000;
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		for (int i = 0; i < calls; i++) {
			action.run();
		}
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < calls; i++) {
			action.run();
		}
		return (threads.getCurrentThreadAllocatedBytes() - before) / calls;
	}

}
