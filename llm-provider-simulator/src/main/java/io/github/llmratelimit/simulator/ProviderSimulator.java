package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import io.github.llmratelimit.simulator.dialect.WireRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.ByteBufAllocator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

/**
 * A simulated provider behind a real HTTP server on a random local port. Thread-safe. It
 * keeps one log entry per admitted call until it is closed.
 *
 * <pre>{@code
 * try (ProviderSimulator simulator = ProviderSimulator.start(
 *         SimulatorOptions.builder().requestsPerMinute(60).minute(Duration.ofSeconds(3)).build())) {
 *     WebClient client = WebClient.create(simulator.baseUrl());
 *     …
 *     assertThat(simulator.ledger().refused()).isZero();
 * }
 * }</pre>
 *
 * <ul>
 * <li>the API of its {@link SimulatedDialect}; by default OpenAI's
 * {@code POST /v1/chat/completions}: JSON, or server-sent events with {@code stream},
 * usage in a stream only if {@code stream_options.include_usage} asks for it; and
 * {@code POST /v1/embeddings}: a text or an array of texts
 * <li>{@code /simulator/echo/**}: any method; a vendor's API without tokens
 * <li>{@code GET /simulator/ledger}: the {@link Ledger} as JSON
 * </ul>
 *
 * Prompt tokens are counted by a plain rule: 4 ASCII characters, 2 other letters or 1 CJK
 * character a token, and 3 per message. A request may state its real size in
 * {@code x-simulator-prompt-tokens} and the output it wants in
 * {@code x-simulator-output-tokens}.
 */
public final class ProviderSimulator implements AutoCloseable {

	private final Scheduler scheduler = Schedulers.newParallel("provider-simulator-timer", 1, true);

	private final LoopResources loops = LoopResources.create("provider-simulator", 2, true);

	private final Simulation simulation;

	private final DisposableServer server;

	private ProviderSimulator(SimulatorOptions options) {
		this.simulation = new Simulation(options, this.scheduler);
		this.server = HttpServer.create().host("localhost").port(0).runOn(this.loops).handle(this::handle).bindNow();
	}

	/** Starts a provider without limits. */
	public static ProviderSimulator start() {
		return start(SimulatorOptions.builder().build());
	}

	/** Starts a provider; its first minute begins now. */
	public static ProviderSimulator start(SimulatorOptions options) {
		return new ProviderSimulator(options);
	}

	private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		return request.receive()
			.aggregate()
			.asByteArray()
			.defaultIfEmpty(new byte[0])
			.flatMap((body) -> this.simulation.handle(toWireRequest(request, body)))
			.flatMap((reply) -> send(reply, response));
	}

	private static WireRequest toWireRequest(HttpServerRequest request, byte[] body) {
		return new WireRequest(request.method().name(), request.fullPath(), query(request.uri()),
				request.requestHeaders()::get, body);
	}

	private static String query(String uri) {
		int mark = uri.indexOf('?');
		return (mark < 0) ? "" : uri.substring(mark + 1);
	}

	private static Mono<Void> send(Reply reply, HttpServerResponse response) {
		response.status(reply.status());
		reply.headers().forEach((name, values) -> values.forEach((value) -> response.addHeader(name, value)));
		if (reply.body() instanceof Mono<String> whole) {
			return response.sendString(whole).then();
		}
		return response.send(Flux.from(reply.body()).map(ProviderSimulator::toBuffer), (event) -> true).then();
	}

	private static ByteBuf toBuffer(String event) {
		return ByteBufUtil.writeUtf8(ByteBufAllocator.DEFAULT, event);
	}

	/** Where it listens: {@code http://localhost:PORT}. */
	public String baseUrl() {
		return "http://localhost:" + port();
	}

	/** The port it listens on. */
	public int port() {
		return this.server.port();
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

	/** Stops listening and cuts the connections that are open. */
	@Override
	public void close() {
		this.server.disposeNow(Duration.ofSeconds(5));
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).block();
		this.scheduler.dispose();
	}

}
