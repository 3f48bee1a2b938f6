package io.github.llmratelimit.benchmarks.simulation;

import java.util.function.UnaryOperator;

import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * What an application does about rate limits.
 */
@FunctionalInterface
public interface Strategy {

	/**
	 * Prepare a client.
	 * @param client the client's builder
	 * @param time the time
	 * @param seed seed of everything drawn
	 * @return what is added to every call
	 */
	UnaryOperator<Mono<Void>> prepare(WebClient.Builder client, VirtualTime time, long seed);

}
