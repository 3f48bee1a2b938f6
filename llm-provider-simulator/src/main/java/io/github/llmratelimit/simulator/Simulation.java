package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.simulator.Decision.Admission;
import io.github.llmratelimit.simulator.Decision.Refusal;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The way of one call through the provider, the same for both faces: there over the
 * network, the decision, the service time, and back. Thread-safe: the provider is guarded
 * by the lock of this object, and nothing is emitted under it. All time comes from the
 * scheduler.
 */
final class Simulation {

	private static final JsonMapper JSON = new JsonMapper();

	private final SimulatedProvider provider;

	private final Scheduler scheduler;

	Simulation(SimulatorOptions options, Scheduler scheduler) {
		this.scheduler = scheduler;
		this.provider = new SimulatedProvider(options, now());
	}

	Mono<Reply> handle(WireRequest request) {
		if (request.asksFor("GET", "/simulator/ledger")) {
			return Mono.fromSupplier(() -> ledgerReply(ledger()));
		}
		try {
			Call call = CallReader.read(request);
			return travel().then(Mono.defer(() -> arrive(call)));
		}
		catch (UnreadableCallException ex) {
			return Mono.just(Reply.json(ex.status(), Map.of(), ex.body()));
		}
	}

	private Mono<Reply> arrive(Call call) {
		Decision decision = decide(call);
		if (decision instanceof Refusal refusal) {
			return travelBack(refused(refusal, call.model()));
		}
		return new Service((Admission) decision).serve();
	}

	// The clock is read under the lock, so that calls are decided in the order of their
	// times.
	private synchronized Decision decide(Call call) {
		return this.provider.arrive(call, now());
	}

	private synchronized void finish(Admission admission, int outputTokens) {
		this.provider.finish(admission, outputTokens, now());
	}

	synchronized void changeLimits(UnaryOperator<SimulatorOptions.Builder> change) {
		this.provider.changeLimits(change.apply(this.provider.options().toBuilder()).build(), now());
	}

	synchronized Ledger ledger() {
		return this.provider.ledger();
	}

	private synchronized SimulatorOptions options() {
		return this.provider.options();
	}

	private synchronized long drawNetworkDelay() {
		return this.provider.drawNetworkDelay();
	}

	private Mono<Void> travel() {
		return Mono.defer(() -> delay(drawNetworkDelay()));
	}

	private Mono<Reply> travelBack(Reply reply) {
		return travel().thenReturn(reply);
	}

	private Mono<Void> delay(long nanos) {
		return (nanos > 0) ? Mono.delay(Duration.ofNanos(nanos), this.scheduler).then() : Mono.empty();
	}

	private long now() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	private Reply refused(Refusal refusal, String model) {
		SimulatorOptions options = options();
		return Reply.json(options.refusalStatus(),
				RateLimitHeaders.refused(options.headers(), refusal.levels(), refusal.waitNanos()),
				ErrorBody.refused(refusal, model));
	}

	private static Reply ledgerReply(Ledger ledger) {
		ObjectNode body = JSON.valueToTree(ledger);
		return Reply.json(200, Map.of(), body.put("refused", ledger.refused()));
	}

	/**
	 * An admitted call while it is served. The provider works on its own time, whether or
	 * not the client reads the answer; only a cancelled call ends earlier.
	 */
	private final class Service {

		private final Admission admission;

		private final long intervalNanos = options().chunkInterval().toNanos();

		private volatile long streamingSince;

		private volatile boolean streaming;

		private volatile boolean handedOver;

		Service(Admission admission) {
			this.admission = admission;
		}

		Mono<Reply> serve() {
			return delay(this.admission.latencyNanos()).then(Mono.fromSupplier(this::answer))
				.flatMap(Simulation.this::travelBack)
				.doOnNext((reply) -> this.handedOver = true)
				.doOnCancel(this::abandonIfNotHandedOver);
		}

		private Reply answer() {
			Map<String, String> headers = RateLimitHeaders.answered(options().headers(), this.admission.levels());
			if (this.admission.fails()) {
				complete(0);
				return Reply.json(this.admission.status(), headers, ErrorBody.failed(this.admission.status()));
			}
			Answer answer = new Answer(this.admission, Simulation.this.scheduler.now(TimeUnit.SECONDS));
			if (this.admission.call().stream()) {
				return Reply.events(headers, stream(answer.events()));
			}
			complete(this.admission.outputTokens());
			return Reply.json(200, headers, answer.json());
		}

		private Flux<String> stream(List<String> events) {
			if (this.intervalNanos == 0) {
				complete(this.admission.outputTokens());
				return Flux.fromIterable(events);
			}
			this.streamingSince = now();
			this.streaming = true;
			delay(this.intervalNanos * events.size()).subscribe(null, null,
					() -> complete(this.admission.outputTokens()));
			return Flux.fromIterable(events)
				.delayElements(Duration.ofNanos(this.intervalNanos), Simulation.this.scheduler)
				.doOnCancel(this::abandon);
		}

		private void complete(int outputTokens) {
			finish(this.admission, outputTokens);
		}

		// Once the caller has the reply, a late cancel of its source means nothing.
		private void abandonIfNotHandedOver() {
			if (!this.handedOver) {
				abandon();
			}
		}

		private void abandon() {
			complete(this.streaming ? writtenTokens() : 0);
		}

		private int writtenTokens() {
			long events = (now() - this.streamingSince) / this.intervalNanos;
			long tokens = Math.max(0, events - 1) * Answer.TOKENS_PER_EVENT;
			return (int) Math.min(tokens, this.admission.outputTokens());
		}

	}

}
