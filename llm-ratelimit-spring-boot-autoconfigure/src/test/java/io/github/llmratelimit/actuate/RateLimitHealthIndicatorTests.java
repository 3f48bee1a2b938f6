package io.github.llmratelimit.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderSnapshot;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;

import org.springframework.boot.health.contributor.Health;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RateLimitHealthIndicator}.
 */
class RateLimitHealthIndicatorTests {

	private final LlmRateLimiter limiter = mock();

	@ParameterizedTest
	@CsvSource({ "OPEN, OPEN, UP, OPEN", "OPEN, COOLING_DOWN, UP, COOLING_DOWN", "PROBING, OPEN, UP, PROBING",
			"PAUSED, PROBING, DEGRADED, PAUSED", "OPEN, OUT_OF_SERVICE, DEGRADED, OUT_OF_SERVICE" })
	void showsWorstStateOfAccountsAndModels(State account, State model, String status, State shown) {
		given(this.limiter.snapshot()).willReturn(Flux.just(provider("acme", account, model)));
		Health health = health();
		assertThat(health.getStatus().getCode()).isEqualTo(status);
		assertThat(health.getDetails()).extractingByKey("acme", as(InstanceOfAssertFactories.MAP))
			.containsEntry("state", shown)
			.containsEntry("waiting", 5);
	}

	@ParameterizedTest
	@CsvSource({ "PAUSED, cause", "OUT_OF_SERVICE, cause", "COOLING_DOWN, " })
	void saysWhyAnAccountIsOutForLonger(State account, String cause) {
		given(this.limiter.snapshot()).willReturn(Flux.just(provider("acme", account, State.OPEN)));
		assertThat(health().getDetails()).extractingByKey("acme", as(InstanceOfAssertFactories.MAP))
			.satisfies((details) -> assertThat(details.get("cause")).isEqualTo(cause));
	}

	@Test
	void isDegradedByAKeyThatIsOutOfService() {
		LevelSnapshot account = new LevelSnapshot(State.OPEN, null, null, 0, 0, null,
				Map.of("a", State.OPEN, "b", State.OUT_OF_SERVICE), List.of(), Map.of());
		given(this.limiter.snapshot())
			.willReturn(Flux.just(new ProviderSnapshot("acme", Map.of(), Map.of("default", account))));
		assertThat(health().getStatus()).isEqualTo(RateLimitHealthIndicator.DEGRADED);
	}

	@Test
	void staysDegradedWhateverTheNextProviderSays() {
		given(this.limiter.snapshot()).willReturn(
				Flux.just(provider("acme", State.PAUSED, State.OPEN), provider("other", State.OPEN, State.OPEN)));
		assertThat(health().getStatus()).isEqualTo(RateLimitHealthIndicator.DEGRADED);
	}

	@Test
	void isUpWithoutProviders() {
		given(this.limiter.snapshot()).willReturn(Flux.empty());
		assertThat(health()).isEqualTo(Health.up().build());
	}

	private Health health() {
		return new RateLimitHealthIndicator(this.limiter).health().block();
	}

	private static ProviderSnapshot provider(String name, State account, State model) {
		return new ProviderSnapshot(name, Map.of(Priority.NORMAL, 2, Priority.BATCH, 3),
				Map.of("default", level(account, Map.of("small", level(model, Map.of())))));
	}

	private static LevelSnapshot level(State state, Map<String, LevelSnapshot> models) {
		boolean open = state == State.OPEN;
		return new LevelSnapshot(state, open ? null : "cause", open ? null : Duration.ofSeconds(1), 0, 0, null,
				Map.of(), List.of(), models);
	}

}
