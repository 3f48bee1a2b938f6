package io.github.llmratelimit.benchmarks.estimates;

import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.llmratelimit.simulator.LowerBound;
import io.github.llmratelimit.simulator.SimulatorOptions;
import io.github.llmratelimit.simulator.SimulatorOptions.Charging;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Calls that are made all at once, whose answers are shorter than they might be.
 *
 * @param outputs tokens of each answer
 * @param headroom how many times these its {@code max_tokens} is
 */
@SuppressWarnings("ArrayRecordComponent")
record Calls(int[] outputs, int headroom) {

	private static final String BASE_URL = "https://api.openai.com";

	private static final String PROMPT = "Tell me in plain words what this means for our customers. ".repeat(32);

	/** Of the prompt, as the simulated provider counts it. */
	private static final int INPUT = PROMPT.length() / 4 + 3;

	private static final double MEAN = 500;

	private static final double SIGMA = 0.6;

	private static final int LONGEST = 3000;

	/** Answers of which most are short and a few long, as real ones are. */
	static Calls of(int calls, int headroom, long seed) {
		Random random = new Random(seed);
		int[] outputs = random.doubles(calls)
			.mapToInt((ignored) -> (int) Math.exp(Math.log(MEAN) - SIGMA * SIGMA / 2 + SIGMA * random.nextGaussian()))
			.map((output) -> Math.max(1, Math.min(LONGEST, output)))
			.toArray();
		return new Calls(outputs, headroom);
	}

	/** The shortest time in which the provider admits and answers them. */
	LowerBound bound(SimulatorOptions options) {
		long[] charges = new long[this.outputs.length];
		for (int i = 0; i < charges.length; i++) {
			charges[i] = (options.charging() == Charging.ACTUAL) ? INPUT + this.outputs[i]
					: Math.max(INPUT, this.headroom * this.outputs[i]);
		}
		return LowerBound.of(options, charges);
	}

	Flux<String> send(WebClient.Builder client) {
		WebClient built = client.baseUrl(BASE_URL).build();
		return Flux.range(0, this.outputs.length)
			.flatMap((call) -> send(built, this.outputs[call]).onErrorComplete(), this.outputs.length);
	}

	private Mono<String> send(WebClient client, int output) {
		return client.post()
			.uri("/v1/chat/completions")
			.header("x-simulator-output-tokens", Integer.toString(output))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(Map.of("model", "gpt-4o-mini", "max_tokens", this.headroom * output, "messages",
					List.of(Map.of("role", "user", "content", PROMPT))))
			.retrieve()
			.bodyToMono(String.class);
	}

}
