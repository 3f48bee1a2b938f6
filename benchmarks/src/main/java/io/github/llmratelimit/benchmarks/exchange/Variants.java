package io.github.llmratelimit.benchmarks.exchange;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.benchmarks.Starter;
import io.github.llmratelimit.time.TimeSource;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.reactor.ratelimiter.operator.RateLimiterOperator;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The clients, all on one event loop and one connection pool, with limits that are never
 * reached.
 */
final class Variants {

	static final String NONE = "none";

	static final String OURS = "ours";

	static final String NONE_AGAIN = "none again";

	private static final double DEFAULT_MARGIN = 0.95;

	private final URI server;

	private final ReactorClientHttpConnector connector;

	Variants(URI server, int connections) {
		this.server = server;
		this.connector = new ReactorClientHttpConnector(
				HttpClient.create(ConnectionProvider.create("client", connections))
					.runOn(LoopResources.create("client", 1, true)));
	}

	List<Variant> forPrompt(Prompt prompt) {
		return List.of(new Variant(NONE, builder().build(), Variant.Check.NOTHING), ours(prompt), resilience4j(),
				new Variant(NONE_AGAIN, builder().build(), Variant.Check.NOTHING));
	}

	private Variant ours(Prompt prompt) {
		WorkCheck check = new WorkCheck(prompt.estimate());
		LimitPlan limits = LimitPlan
			.of(Starter.perMinute(Counted.REQUESTS, 1_000_000_000, DEFAULT_MARGIN),
					Starter.perMinute(Counted.TOKENS, 1_000_000_000_000L, DEFAULT_MARGIN))
			.withMaxConcurrency(1000);
		WebClient.Builder builder = builder();
		Starter.customizer(Starter.plan(limits), this.server, TimeSource.system(), 0, check).customize(builder);
		return new Variant(OURS, builder.build(), check);
	}

	/** Requests only: it knows neither tokens nor answers. */
	private Variant resilience4j() {
		RateLimiter limiter = RateLimiter.of("client",
				RateLimiterConfig.custom()
					.limitForPeriod(Integer.MAX_VALUE / 2)
					.limitRefreshPeriod(Duration.ofSeconds(1))
					.build());
		WebClient client = builder()
			.filter((request, next) -> next.exchange(request).transformDeferred(RateLimiterOperator.of(limiter)))
			.build();
		return new Variant("resilience4j, requests only", client, Variant.Check.NOTHING);
	}

	private WebClient.Builder builder() {
		return WebClient.builder().baseUrl(this.server.toString()).clientConnector(this.connector);
	}

}
