package io.github.llmratelimit.actuate;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.ProviderSnapshot;
import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of the limits and keys. Never down: a closed provider is no reason to
 * restart the application.
 */
public final class RateLimitHealthIndicator extends AbstractReactiveHealthIndicator {

	/** A provider is paused or out of service. */
	public static final Status DEGRADED = new Status("DEGRADED");

	private static final List<State> BY_SEVERITY = List.of(State.OPEN, State.PROBING, State.COOLING_DOWN, State.PAUSED,
			State.OUT_OF_SERVICE);

	private final CallAdmission admission;

	/**
	 * Create the indicator.
	 * @param admission whose state is shown
	 */
	public RateLimitHealthIndicator(CallAdmission admission) {
		this.admission = admission;
	}

	@Override
	protected Mono<Health> doHealthCheck(Health.Builder builder) {
		return this.admission.snapshot().collectList().map((providers) -> health(builder, providers));
	}

	private static Health health(Health.Builder builder, List<ProviderSnapshot> providers) {
		builder.up();
		for (ProviderSnapshot provider : providers) {
			State state = worst(provider.accounts().values());
			if (state == State.PAUSED || state == State.OUT_OF_SERVICE) {
				builder.status(DEGRADED);
			}
			builder.withDetail(provider.provider(), details(provider, state));
		}
		return builder.build();
	}

	private static Map<String, Object> details(ProviderSnapshot provider, State state) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", state);
		causes(provider).findFirst().ifPresent((cause) -> details.put("cause", cause));
		details.put("waiting", provider.waiting().values().stream().mapToInt(Integer::intValue).sum());
		return details;
	}

	private static Stream<String> causes(ProviderSnapshot provider) {
		return provider.accounts()
			.values()
			.stream()
			.filter((account) -> account.state() == State.PAUSED || account.state() == State.OUT_OF_SERVICE)
			.map(LevelSnapshot::cause)
			.filter(Objects::nonNull);
	}

	private static Stream<State> states(LevelSnapshot account) {
		Stream<State> ofModels = account.models().values().stream().map(LevelSnapshot::state);
		return Stream.concat(Stream.of(account.state()), Stream.concat(ofModels, account.keys().values().stream()));
	}

	private static State worst(Collection<LevelSnapshot> accounts) {
		return accounts.stream()
			.flatMap(RateLimitHealthIndicator::states)
			.max(Comparator.comparingInt(BY_SEVERITY::indexOf))
			.orElse(State.OPEN);
	}

}
