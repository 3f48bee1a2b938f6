package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.simulator.Decision.Admission;
import io.github.llmratelimit.simulator.Decision.Refused;
import io.github.llmratelimit.simulator.Decision.Unauthorized;
import io.github.llmratelimit.simulator.dialect.Call;
import io.github.llmratelimit.simulator.dialect.Conversation;
import io.github.llmratelimit.simulator.dialect.Problem;
import io.github.llmratelimit.simulator.dialect.Refusal;
import io.github.llmratelimit.simulator.dialect.StreamEvent;
import io.github.llmratelimit.simulator.dialect.UnreadableCallException;
import io.github.llmratelimit.simulator.dialect.WireRequest;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
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

	private final Script script = new Script();

	private final Scheduler scheduler;

	Simulation(SimulatorOptions options, Scheduler scheduler) {
		this.scheduler = scheduler;
		this.provider = new SimulatedProvider(options, now());
	}

	Mono<Reply> handle(WireRequest request) {
		if (request.asksFor("GET", "/simulator/ledger")) {
			return Mono.fromSupplier(() -> ledgerReply(ledger()));
		}
		return travel().then(Mono.defer(() -> arrive(request)));
	}

	private Mono<Reply> arrive(WireRequest request) {
		ScriptedResponse scripted = nextScripted();
		return (scripted != null) ? replay(scripted) : serve(request);
	}

	private Mono<Reply> serve(WireRequest request) {
		try {
			return serve(options().dialect().open(request));
		}
		catch (UnreadableCallException ex) {
			return travelBack(Reply.json(ex.problem().status(), Map.of(), ex.problem().body()));
		}
	}

	private Mono<Reply> serve(Conversation conversation) {
		Decision decision = decide(conversation.call());
		if (decision instanceof Unauthorized) {
			Problem problem = conversation.unauthorized();
			return travelBack(Reply.json(problem.status(), Map.of(), problem.body()));
		}
		if (decision instanceof Refused refused) {
			return travelBack(refusedReply(refused.refusal(), conversation));
		}
		return new Service((Admission) decision, conversation).serve();
	}

	private Mono<Reply> replay(ScriptedResponse response) {
		return delay(arriveScripted())
			.then(Mono.fromSupplier(() -> new Reply(response.status(), response.headers(), body(response.chunks()))))
			.flatMap(this::travelBack);
	}

	private Publisher<String> body(List<String> chunks) {
		return (chunks.size() > 1) ? spaced(chunks) : Mono.justOrEmpty(chunks.stream().findFirst());
	}

	private Flux<String> spaced(List<String> chunks) {
		Duration interval = options().chunkInterval();
		Flux<String> all = Flux.fromIterable(chunks);
		return interval.isZero() ? all : all.delayElements(interval, this.scheduler);
	}

	// The clock is read under the lock, so that calls are decided in the order of their
	// times.
	private synchronized Decision decide(Call call) {
		return this.provider.arrive(call, now());
	}

	private synchronized long arriveScripted() {
		return this.provider.arriveScripted(now());
	}

	private synchronized @Nullable ScriptedResponse nextScripted() {
		return this.script.next();
	}

	synchronized void script(List<ScriptedResponse> responses, boolean repeatsLast) {
		this.script.begin(responses, repeatsLast);
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

	private Instant today() {
		return Instant.ofEpochSecond(0, now());
	}

	private Reply refusedReply(Refusal refusal, Conversation conversation) {
		SimulatorOptions options = options();
		Problem problem = conversation.refusal(refusal);
		Integer status = options.refusalStatus();
		return Reply.json((status != null) ? status : problem.status(),
				RateLimitHeaders.refused(options.headers(), conversation, refusal, today()), problem.body());
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

		private final Conversation conversation;

		private final long intervalNanos = options().chunkInterval().toNanos();

		private volatile List<StreamEvent> events = List.of();

		private volatile long streamingSince;

		private volatile boolean handedOver;

		Service(Admission admission, Conversation conversation) {
			this.admission = admission;
			this.conversation = conversation;
		}

		Mono<Reply> serve() {
			return delay(this.admission.latencyNanos()).then(Mono.fromSupplier(this::answer))
				.flatMap(Simulation.this::travelBack)
				.doOnNext((reply) -> this.handedOver = true)
				.doOnCancel(this::abandonIfNotHandedOver);
		}

		private Reply answer() {
			Map<String, String> headers = RateLimitHeaders.answered(options().headers(), this.conversation,
					this.admission.levels(), today());
			if (this.admission.fails()) {
				complete(0);
				Problem problem = this.conversation.failure(this.admission.status());
				return Reply.json(problem.status(), headers, problem.body());
			}
			if (this.admission.call().stream()) {
				return Reply.stream(this.conversation.streamType(), headers, stream());
			}
			complete(this.admission.outputTokens());
			return Reply.json(200, headers,
					this.conversation.answer(this.admission.number(), this.admission.outputTokens(), today()));
		}

		private Flux<String> stream() {
			List<StreamEvent> all = this.conversation.events(this.admission.number(), this.admission.outputTokens(),
					today());
			Flux<String> texts = Flux.fromIterable(all).map(StreamEvent::text);
			if (this.intervalNanos == 0) {
				complete(this.admission.outputTokens());
				return texts;
			}
			this.streamingSince = now();
			this.events = all;
			delay(this.intervalNanos * all.size()).subscribe(null, null, () -> complete(this.admission.outputTokens()));
			return texts.delayElements(Duration.ofNanos(this.intervalNanos), Simulation.this.scheduler)
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
			complete(this.events.isEmpty() ? 0 : writtenTokens());
		}

		private int writtenTokens() {
			long sent = Math.min((now() - this.streamingSince) / this.intervalNanos, this.events.size());
			return (sent > 0) ? this.events.get((int) sent - 1).written() : 0;
		}

	}

}
