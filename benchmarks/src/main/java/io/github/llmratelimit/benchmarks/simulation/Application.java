package io.github.llmratelimit.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import io.github.llmratelimit.simulator.Ledger;
import io.github.llmratelimit.simulator.LowerBound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * An application whose clients work on a batch of calls. One thread only.
 */
public final class Application {

	private static final String BASE_URL = "https://api.openai.com";

	private static final String TRIP = Trip.class.getName();

	private final Batch batch;

	private final ExchangeFunction provider;

	private final VirtualTime time;

	private final List<Double> waits = new ArrayList<>();

	private int ended;

	private long lastEnd;

	Application(Batch batch, ExchangeFunction provider, VirtualTime time) {
		this.batch = batch;
		this.provider = provider;
		this.time = time;
	}

	void start(Strategy strategy, long seed) {
		WebClient.Builder builder = WebClient.builder().baseUrl(BASE_URL).exchangeFunction((request) -> {
			tripOf(request).sentAt = this.time.nanoTime();
			return this.provider.exchange(request);
		});
		UnaryOperator<Mono<Void>> addition = strategy.prepare(builder, this.time, seed);
		WebClient client = builder.build();
		Flux.fromStream(LongStream.of(this.batch.tokens()).boxed())
			.flatMap((tokens) -> call(client, tokens, addition), this.batch.clients())
			.subscribe();
	}

	private static Trip tripOf(ClientRequest request) {
		return (Trip) request.attribute(TRIP).orElseThrow();
	}

	private Mono<Void> call(WebClient client, long tokens, UnaryOperator<Mono<Void>> addition) {
		Trip trip = new Trip(this.time.nanoTime());
		return addition.apply(send(client, tokens, trip))
			.doOnSuccess((nothing) -> this.waits.add(trip.seconds()))
			.onErrorComplete()
			.doOnTerminate(this::end);
	}

	private static Mono<Void> send(WebClient client, long tokens, Trip trip) {
		return client.post()
			.uri("/v1/chat/completions")
			.attribute(TRIP, trip)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(Map.of("model", "gpt-4o-mini", "max_tokens", tokens, "messages",
					List.of(Map.of("role", "user", "content", "Hi"))))
			.retrieve()
			.bodyToMono(String.class)
			.then();
	}

	private void end() {
		this.ended++;
		this.lastEnd = this.time.nanoTime();
	}

	Result result(Ledger ledger, LowerBound bound) {
		double calls = this.batch.calls();
		double makespan = (this.ended == calls) ? this.lastEnd / 1e9 : Double.POSITIVE_INFINITY;
		return new Result(makespan, bound.seconds(), ledger.refused(), this.waits.size() / calls,
				ledger.arrivals() / calls, Waits.of(this.waits));
	}

	/** The way of one call. */
	private static final class Trip {

		private final long submittedAt;

		private long sentAt;

		Trip(long submittedAt) {
			this.submittedAt = submittedAt;
		}

		double seconds() {
			return (this.sentAt - this.submittedAt) / 1e9;
		}

	}

}
