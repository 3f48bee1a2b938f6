package io.github.llmratelimit.benchmarks.goodput;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.Ledger;
import io.github.llmratelimit.simulator.LowerBound;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * One batch sent to a simulated provider through a real {@link WebClient}, in virtual
 * time. Used once, by one thread.
 */
final class Run {

	static final String BASE_URL = "https://api.openai.com";

	static final int REQUESTS_PER_MINUTE = 60;

	static final long TOKENS_PER_MINUTE = 100_000;

	/* What does not end within three times the bound is cut off. */
	private static final Duration LONGEST = Duration.ofHours(1);

	private static final Duration LATENCY = Duration.ofSeconds(3);

	private final VirtualTime time = new VirtualTime();

	private int succeeded;

	private int ended;

	private long lastEnd;

	private Run() {
	}

	/** The provider of all runs: its limits, and three seconds for every answer. */
	static SimulatorOptions.Builder provider() {
		return SimulatorOptions.builder()
			.requestsPerMinute(REQUESTS_PER_MINUTE)
			.tokensPerMinute(TOKENS_PER_MINUTE)
			.charging(SimulatorOptions.Charging.MAX_TOKENS)
			.latency(Delay.fixed(LATENCY));
	}

	/** The shortest time for a batch when nobody else uses the account. */
	static LowerBound bound(SimulatorOptions options, Batch batch) {
		return LowerBound.of(options.toBuilder().usedBefore(0, 0).build(), batch.tokens());
	}

	static Result of(SimulatorOptions options, Batch batch, Strategy strategy) {
		return new Run().run(options, batch, strategy);
	}

	private Result run(SimulatorOptions options, Batch batch, Strategy strategy) {
		SimulatedExchange provider = new SimulatedExchange(options, this.time.scheduler());
		WebClient.Builder builder = WebClient.builder().baseUrl(BASE_URL).exchangeFunction(provider);
		UnaryOperator<Mono<Void>> addition = strategy.prepare(builder, this.time, options.seed());
		WebClient client = builder.build();
		for (long tokens : batch.tokens()) {
			addition.apply(call(client, tokens)).subscribe(null, (failure) -> end(false), () -> end(true));
		}
		this.time.advanceBy(LONGEST);
		return result(provider.ledger(), bound(options, batch), batch);
	}

	private static Mono<Void> call(WebClient client, long tokens) {
		return client.post()
			.uri("/v1/chat/completions")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(Map.of("model", "gpt-4o-mini", "max_tokens", tokens, "messages",
					List.of(Map.of("role", "user", "content", "Hi"))))
			.retrieve()
			.bodyToMono(String.class)
			.then();
	}

	private void end(boolean success) {
		this.ended++;
		this.succeeded += success ? 1 : 0;
		this.lastEnd = this.time.nanoTime();
	}

	private Result result(Ledger ledger, LowerBound bound, Batch batch) {
		double makespan = (this.ended == batch.calls()) ? this.lastEnd / 1e9 : Double.POSITIVE_INFINITY;
		return new Result(makespan, bound.seconds(), ledger.refused(), (double) this.succeeded / batch.calls(),
				(double) ledger.arrivals() / batch.calls());
	}

}
