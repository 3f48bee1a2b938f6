package io.github.llmratelimit.benchmarks.priorities;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.benchmarks.simulation.Experiment;
import io.github.llmratelimit.benchmarks.simulation.VirtualTime;
import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * A batch that is there at once and interactive calls that come one after the other, in
 * virtual time. Used once, by one thread.
 */
final class Mix {

	private static final String BASE_URL = "https://api.openai.com";

	private static final String SENDING = Mix.class.getName() + ".sending";

	private static final Duration LENGTH = Duration.ofMinutes(40);

	private static final int BATCH = 2000;

	private static final int TOKENS = 2000;

	/* A full bucket, and what is refilled. */
	private static final double MOST_TOKENS = Experiment.TOKENS_PER_MINUTE * (1 + LENGTH.toMinutes());

	private final VirtualTime time = new VirtualTime();

	private final List<Double> waits = new ArrayList<>();

	private final SimulatedExchange provider;

	private final WebClient client;

	private int batchSent;

	private Mix(Policy policy, long seed) {
		SimulatorOptions options = Experiment.provider()
			.networkDelay(Delay.uniform(Duration.ofMillis(10), Duration.ofMillis(60)))
			.seed(seed)
			.build();
		this.provider = new SimulatedExchange(options, this.time.scheduler());
		WebClient.Builder builder = WebClient.builder().baseUrl(BASE_URL).exchangeFunction(this.provider);
		policy.starter().prepare(builder, this.time, seed);
		this.client = builder.filter(Mix::send).build();
	}

	static Outcome run(Policy policy, Arrivals arrivals, long seed) {
		return new Mix(policy, seed).run(policy, arrivals.within(LENGTH, seed));
	}

	private Outcome run(Policy policy, List<Duration> arrivals) {
		for (int i = 0; i < BATCH; i++) {
			call(policy.batch(), () -> this.batchSent++).subscribe();
		}
		Flux.fromIterable(arrivals)
			.flatMap((arrival) -> Mono.delay(arrival, this.time.scheduler()).then(interactive(policy)), arrivals.size())
			.subscribe();
		this.time.advanceBy(LENGTH);
		double utilization = this.provider.ledger().tokensCharged() / MOST_TOKENS;
		int batchSent = this.batchSent;
		this.time.advanceBy(LENGTH);
		return new Outcome(this.waits, arrivals.size(), utilization, batchSent, this.provider.ledger().refused());
	}

	private Mono<Void> interactive(Policy policy) {
		return Mono.defer(() -> {
			long from = this.time.nanoTime();
			return call(policy.interactive(), () -> this.waits.add((this.time.nanoTime() - from) / 1e9));
		});
	}

	private Mono<Void> call(Priority priority, Runnable sending) {
		return this.client.post()
			.uri("/v1/chat/completions")
			.attributes(LlmRateLimitAttributes.priority(priority))
			.attribute(SENDING, sending)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(Map.of("model", "gpt-4o-mini", "max_tokens", TOKENS, "messages",
					List.of(Map.of("role", "user", "content", "Hi"))))
			.retrieve()
			.bodyToMono(String.class)
			.then();
	}

	/* Behind the filter of the starter: the call has been admitted. */
	private static Mono<ClientResponse> send(ClientRequest request, ExchangeFunction next) {
		return Mono.defer(() -> {
			((Runnable) request.attribute(SENDING).orElseThrow()).run();
			return next.exchange(request);
		});
	}

}
