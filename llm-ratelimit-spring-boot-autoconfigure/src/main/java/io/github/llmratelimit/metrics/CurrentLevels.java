package io.github.llmratelimit.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The state of all providers, read once for all gauges of a scrape. Never blocks: while a
 * remote store has not answered, the state is the last known. Thread-safe.
 */
final class CurrentLevels {

	/** Longer than a scrape takes, shorter than the time between two. */
	private static final Duration VALID = Duration.ofMillis(500);

	private final Supplier<? extends CallAdmission> admission;

	private final TimeSource time;

	private volatile Reading reading = new Reading(Map.of(), Long.MIN_VALUE);

	CurrentLevels(Supplier<? extends CallAdmission> admission, TimeSource time) {
		this.admission = admission;
		this.time = time;
	}

	@Nullable LevelSnapshot level(LimitScope scope) {
		ProviderSnapshot provider = providers().get(scope.provider());
		LevelSnapshot account = (provider != null) ? provider.accounts().get(scope.account()) : null;
		if (account == null || ProviderPlan.ANY_MODEL.equals(scope.modelGroup())) {
			return account;
		}
		return account.models().get(scope.modelGroup());
	}

	double waiting(String name, Priority priority) {
		ProviderSnapshot provider = providers().get(name);
		return (provider != null) ? provider.waiting().getOrDefault(priority, 0) : Double.NaN;
	}

	private Map<String, ProviderSnapshot> providers() {
		long now = this.time.nanoTime();
		if (now >= this.reading.validUntil()) {
			this.admission.get()
				.snapshot()
				.collectMap(ProviderSnapshot::provider)
				.onErrorComplete()
				.subscribe((providers) -> this.reading = new Reading(providers, now + VALID.toNanos()));
		}
		return this.reading.providers();
	}

	/**
	 * What was read, and until when it will do.
	 */
	private record Reading(Map<String, ProviderSnapshot> providers, long validUntil) {

	}

}
