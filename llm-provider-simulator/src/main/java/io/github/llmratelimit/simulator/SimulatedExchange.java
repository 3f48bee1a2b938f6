package io.github.llmratelimit.simulator;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * A simulated provider inside the process, for {@code WebClient.builder()
 * .exchangeFunction(…)}: no connection, and all time from a scheduler, which may be a
 * virtual one. Thread-safe.
 *
 * <p>
 * A call that is cancelled before it arrives leaves no trace; cancelled later, it ends at
 * that moment. The host of a request does not matter, only its path.
 */
public final class SimulatedExchange implements ExchangeFunction {

	private static final ExchangeStrategies STRATEGIES = ExchangeStrategies.builder()
		.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(-1))
		.build();

	private final Simulation simulation;

	/**
	 * Starts a provider; its first minute begins now.
	 * @param options its limits and behavior
	 * @param scheduler the clock it reads and the timer of all its delays
	 */
	public SimulatedExchange(SimulatorOptions options, Scheduler scheduler) {
		this.simulation = new Simulation(options, scheduler);
	}

	@Override
	public Mono<ClientResponse> exchange(ClientRequest request) {
		return MemoryRequest.write(request, STRATEGIES)
			.flatMap(this.simulation::handle)
			.map((reply) -> toResponse(reply, request));
	}

	private static ClientResponse toResponse(Reply reply, ClientRequest request) {
		return ClientResponse.create(HttpStatusCode.valueOf(reply.status()), STRATEGIES)
			.request(new SentRequest(request))
			.headers((headers) -> headers.putAll(reply.headers()))
			.body(Flux.from(reply.body()).map(SimulatedExchange::toBuffer))
			.build();
	}

	private static DataBuffer toBuffer(String text) {
		return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8));
	}

	/** What the provider has seen so far. */
	public Ledger ledger() {
		return this.simulation.ledger();
	}

	/**
	 * Changes the options from now on. New limits meet what was counted under the old
	 * ones; accounts already seen keep their minute, slices, token algorithm and ban.
	 * @param change sets what changes
	 */
	public void changeLimits(UnaryOperator<SimulatorOptions.Builder> change) {
		this.simulation.changeLimits(change);
	}

	/**
	 * Answers the next calls with these, one each and whatever they ask; then the
	 * provider goes on. Begins anew if called again.
	 * @param responses replayed after the latency of the options
	 */
	public void script(ScriptedResponse... responses) {
		this.simulation.script(List.of(responses), false);
	}

	/**
	 * Answers the next calls with these, and all further ones with the last of them.
	 * @param responses replayed after the latency of the options
	 */
	public void scriptForever(ScriptedResponse... responses) {
		this.simulation.script(List.of(responses), true);
	}

	/** What was asked, as a response and its exceptions tell it. */
	private record SentRequest(ClientRequest request) implements HttpRequest {

		@Override
		public HttpMethod getMethod() {
			return this.request.method();
		}

		@Override
		public URI getURI() {
			return this.request.url();
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.request.headers();
		}

		@Override
		public Map<String, Object> getAttributes() {
			return this.request.attributes();
		}

	}

}
