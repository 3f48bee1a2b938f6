package io.github.llmratelimit.benchmarks.waiters;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.benchmarks.Starter;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Calls that wait inside the filter of a {@code WebClient}.
 */
final class ExchangeCrowd {

	private static final String BASE_URL = "https://api.openai.com";

	private ExchangeCrowd() {
	}

	/**
	 * Let calls wait behind one that never ends.
	 * @param waiters how many
	 * @return bytes of each, with its request and its subscribers
	 */
	static double bytes(int waiters) {
		ProviderPlan plan = Starter
			.plan(LimitPlan.of(Starter.perMinute(Counted.TOKENS, 1_000_000_000, 1)).withMaxConcurrency(1))
			.withQueue(QueueRules.DEFAULT.withCapacity(Integer.MAX_VALUE));
		WebClient.Builder builder = WebClient.builder().baseUrl(BASE_URL).exchangeFunction((request) -> Mono.never());
		Starter.customizer(plan, URI.create(BASE_URL), new CountingTime(), 0).customize(builder);
		WebClient client = builder.build();
		List<Disposable> waiting = new ArrayList<>(waiters + 1);
		waiting.add(call(client));
		long before = Usage.heap();
		for (int i = 0; i < waiters; i++) {
			waiting.add(call(client));
		}
		double bytes = (double) (Usage.heap() - before) / waiters;
		waiting.forEach(Disposable::dispose);
		return bytes;
	}

	private static Disposable call(WebClient client) {
		return client.post()
			.uri("/v1/chat/completions")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(Map.of("model", "gpt-4o-mini", "max_tokens", 100, "messages",
					List.of(Map.of("role", "user", "content", "Hi"))))
			.retrieve()
			.bodyToMono(String.class)
			.subscribe();
	}

}
