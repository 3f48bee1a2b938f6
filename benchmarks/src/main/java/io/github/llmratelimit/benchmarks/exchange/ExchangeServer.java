package io.github.llmratelimit.benchmarks.exchange;

import java.nio.charset.StandardCharsets;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

/**
 * Reads every request whole and answers with the same chat completion of 0.8 kB, with the
 * headers of OpenAI. Prints its port and runs until it is stopped.
 */
public final class ExchangeServer {

	/** Tokens that every answer reports. */
	static final int USAGE = 240;

	private static final byte[] ANSWER = """
			{"id":"chatcmpl-BzT0ub1nQ5k4lGqvB2mzqDn8Qe7xY","object":"chat.completion","created":1764500000,\
			"model":"gpt-4o-mini-2024-07-18","choices":[{"index":0,"message":{"role":"assistant","content":"%s",\
			"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],\
			"usage":{"prompt_tokens":%d,"completion_tokens":60,"total_tokens":%d,\
			"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":\
			{"reasoning_tokens":0,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},\
			"service_tier":"default","system_fingerprint":"fp_560af6e559"}"""
		.formatted("The quick brown fox jumps. ".repeat(9), USAGE - 60, USAGE)
		.getBytes(StandardCharsets.UTF_8);

	private ExchangeServer() {
	}

	/**
	 * Run the server.
	 * @param args none
	 */
	public static void main(String[] args) {
		DisposableServer server = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.runOn(LoopResources.create("server", 1, true))
			.route((routes) -> routes.post("/v1/chat/completions", ExchangeServer::answer))
			.bindNow();
		System.out.println(server.port());
		server.onDispose().block();
	}

	private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
		return request.receive()
			.then(response.header("content-type", "application/json")
				.header("x-request-id", "req_5f1a0e5b6f3c4f0b9d7f0f7e6d2c1b0a")
				.header("x-ratelimit-limit-requests", "1000000000")
				.header("x-ratelimit-limit-tokens", "1000000000000")
				.header("x-ratelimit-remaining-requests", "999999999")
				.header("x-ratelimit-remaining-tokens", "999999999000")
				.header("x-ratelimit-reset-requests", "60ms")
				.header("x-ratelimit-reset-tokens", "6ms")
				.sendByteArray(Mono.just(ANSWER))
				.then());
	}

}
