package io.github.llmratelimit.benchmarks.goodput;

import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.benchmarks.Starter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * The starter with 60 requests and 100,000 tokens per minute.
 *
 * @param margin the {@code safety-margin}
 * @param burst the {@code burst}, {@code null} for none
 */
record StarterStrategy(double margin, @Nullable Duration burst) implements Strategy {

	@Override
	public UnaryOperator<Mono<Void>> prepare(WebClient.Builder client, VirtualTime time, long seed) {
		LimitPlan limits = LimitPlan.of(limit(Counted.REQUESTS, Run.REQUESTS_PER_MINUTE),
				limit(Counted.TOKENS, Run.TOKENS_PER_MINUTE));
		Starter.customizer(Starter.plan(limits), URI.create(Run.BASE_URL), time, seed).customize(client);
		return UnaryOperator.identity();
	}

	private Limit limit(Counted counts, long amount) {
		return Starter.perMinute(counts, amount, this.margin).withBurst(this.burst);
	}

}
