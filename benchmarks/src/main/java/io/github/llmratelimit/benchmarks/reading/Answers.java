package io.github.llmratelimit.benchmarks.reading;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.provider.UsageReader;
import io.github.llmratelimit.provider.vendor.Dialects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Successful answers of OpenAI, read as the filter reads them.
 */
@State(Scope.Benchmark)
public class Answers {

	static final int CHUNKS = 200;

	private static final TokenUsage USAGE = new TokenUsage(1200, 800);

	private static final String REPORT = "\"usage\":{\"prompt_tokens\":1200,\"completion_tokens\":800,\"total_tokens\":2000,"
			+ "\"prompt_tokens_details\":{\"cached_tokens\":0,\"audio_tokens\":0},"
			+ "\"completion_tokens_details\":{\"reasoning_tokens\":0,\"audio_tokens\":0}}";

	private static final byte[] NOTHING = new byte[0];

	private static final Map<String, String> HEADERS = Map.of("content-type", "application/json", "date",
			"Mon, 31 Aug 2026 10:00:00 GMT", "x-ratelimit-limit-requests", "10000", "x-ratelimit-remaining-requests",
			"9999", "x-ratelimit-reset-requests", "6ms", "x-ratelimit-limit-tokens", "2000000",
			"x-ratelimit-remaining-tokens", "1997999", "x-ratelimit-reset-tokens", "60ms");

	private final ProviderDialect dialect = Dialects.named("openai");

	private final ResponseHead head = new ResponseHead(200, (name) -> HEADERS.getOrDefault(name, ""));

	private final ByteBuffer body = bytes("{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":1,"
			+ "\"model\":\"gpt-4o-mini\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
			+ "All work and no play. ".repeat(20) + "\",\"refusal\":null},\"finish_reason\":\"stop\"}]," + REPORT
			+ ",\"service_tier\":\"default\"}");

	private final List<ByteBuffer> chunks = chunks();

	/**
	 * The head of a success: what it means and what it says about limits.
	 * @return the limits
	 */
	@Benchmark
	public ObservedLimits head() {
		if (this.dialect.classify(this.head, NOTHING).outcome().isRefusal()) {
			throw new IllegalStateException("refused");
		}
		return this.dialect.observe(this.head);
	}

	/**
	 * The usage in a JSON body of 0.9 kB.
	 * @return the usage
	 */
	@Benchmark
	public @Nullable TokenUsage usage() {
		UsageReader reader = this.dialect.usageReader(this.head);
		reader.read(this.body);
		return checked(reader.usage());
	}

	/**
	 * The usage in a stream of 200 chunks.
	 * @return the usage
	 */
	@Benchmark
	public @Nullable TokenUsage stream() {
		UsageReader reader = this.dialect.usageReader(this.head);
		for (ByteBuffer chunk : this.chunks) {
			reader.read(chunk);
		}
		return checked(reader.usage());
	}

	private static @Nullable TokenUsage checked(@Nullable TokenUsage usage) {
		if (!USAGE.equals(usage)) {
			throw new IllegalStateException("read: " + usage);
		}
		return usage;
	}

	private static List<ByteBuffer> chunks() {
		List<ByteBuffer> chunks = new ArrayList<>();
		for (int i = 1; i < CHUNKS; i++) {
			chunks
				.add(chunk("[{\"index\":0,\"delta\":{\"content\":\" word\"},\"logprobs\":null,\"finish_reason\":null}]",
						"\"usage\":null"));
		}
		chunks.add(chunk("[]", REPORT));
		return chunks;
	}

	private static ByteBuffer chunk(String choices, String usage) {
		return bytes("data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,"
				+ "\"model\":\"gpt-4o-mini\",\"system_fingerprint\":\"fp_1\",\"choices\":" + choices + "," + usage
				+ "}\n\n");
	}

	private static ByteBuffer bytes(String text) {
		return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
	}

}
