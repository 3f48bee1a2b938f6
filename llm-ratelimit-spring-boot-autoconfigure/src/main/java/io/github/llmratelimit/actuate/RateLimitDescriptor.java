package io.github.llmratelimit.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * All providers as the endpoint shows them.
 *
 * @param providers the providers by name
 */
public record RateLimitDescriptor(Map<String, ProviderDescriptor> providers) {

	/**
	 * A provider.
	 *
	 * @param dialect how it talks
	 * @param mode what is done with its limits
	 * @param integrations the kinds of clients whose calls are covered
	 * @param waiting number of waiting calls, by priority
	 * @param accounts the accounts, by name
	 */
	public record ProviderDescriptor(String dialect, String mode, List<String> integrations,
			Map<String, Integer> waiting, Map<String, AccountDescriptor> accounts) {

		static ProviderDescriptor of(ProviderInfo info, @Nullable ProviderSnapshot snapshot, Instant now) {
			Map<Priority, Integer> waiting = (snapshot != null) ? snapshot.waiting() : Map.of();
			Map<String, LevelSnapshot> accounts = (snapshot != null) ? snapshot.accounts() : Map.of();
			return new ProviderDescriptor(info.dialect(), info.mode(), info.integrations(), byLabel(waiting),
					each(accounts, (account) -> AccountDescriptor.of(account, now)));
		}

		private static Map<String, Integer> byLabel(Map<Priority, Integer> waiting) {
			Map<String, Integer> byLabel = new LinkedHashMap<>();
			for (Priority priority : Priority.values()) {
				byLabel.put(priority.name().toLowerCase(Locale.ROOT), waiting.getOrDefault(priority, 0));
			}
			return byLabel;
		}

	}

	/**
	 * An account.
	 *
	 * @param state whether calls are admitted
	 * @param cause why it is closed, {@code null} if it is open
	 * @param coolingDownUntil when it opens again, {@code null} if it is open
	 * @param consecutiveThrottles refusals since the last success
	 * @param inFlight calls that hold a permit
	 * @param keys the pooled keys that spend its quota
	 * @param limits its limits
	 * @param models its model groups, by name
	 */
	@JsonInclude(Include.ALWAYS)
	public record AccountDescriptor(LevelSnapshot.State state, @Nullable String cause,
			@Nullable Instant coolingDownUntil, int consecutiveThrottles, int inFlight, List<KeyDescriptor> keys,
			List<LimitDescriptor> limits, Map<String, ModelDescriptor> models) {

		static AccountDescriptor of(LevelSnapshot level, Instant now) {
			return new AccountDescriptor(level.state(), level.cause(), endOf(level, now), level.consecutiveThrottles(),
					level.inFlight(), keysOf(level), limitsOf(level),
					each(level.models(), (model) -> ModelDescriptor.of(model, now)));
		}

	}

	/**
	 * A pooled key.
	 *
	 * @param id by which it is known
	 * @param state whether it is in service
	 */
	public record KeyDescriptor(String id, LevelSnapshot.State state) {

	}

	/**
	 * A model group.
	 *
	 * @param state whether calls are admitted
	 * @param cause why it is closed, {@code null} if it is open
	 * @param coolingDownUntil when it opens again, {@code null} if it is open
	 * @param consecutiveThrottles refusals since the last success
	 * @param inFlight calls that hold a permit
	 * @param limits its own limits
	 */
	@JsonInclude(Include.ALWAYS)
	public record ModelDescriptor(LevelSnapshot.State state, @Nullable String cause, @Nullable Instant coolingDownUntil,
			int consecutiveThrottles, int inFlight, List<LimitDescriptor> limits) {

		static ModelDescriptor of(LevelSnapshot level, Instant now) {
			return new ModelDescriptor(level.state(), level.cause(), endOf(level, now), level.consecutiveThrottles(),
					level.inFlight(), limitsOf(level));
		}

	}

	/**
	 * A limit.
	 *
	 * @param name its name
	 * @param counts what it counts
	 * @param per length of its window
	 * @param algorithm how it counts over time
	 * @param limit the ceiling the provider states
	 * @param effectiveLimit what is used of it at most
	 * @param used what is used now
	 * @param remaining what is left
	 * @param utilization the used share of the effective limit
	 * @param source where the ceiling comes from
	 */
	public record LimitDescriptor(String name, String counts, Duration per, String algorithm, long limit,
			long effectiveLimit, long used, long remaining, double utilization, LimitSnapshot.Source source) {

		static LimitDescriptor of(LimitSnapshot snapshot) {
			return new LimitDescriptor(snapshot.limit().name(), snapshot.limit().counts().label(),
					snapshot.limit().per(), snapshot.limit().algorithm().label(), snapshot.limit().amount(),
					snapshot.effectiveLimit(), snapshot.used(), snapshot.remaining(),
					Math.round(snapshot.utilization() * 1000) / 1000.0, snapshot.source());
		}

	}

	private static List<KeyDescriptor> keysOf(LevelSnapshot level) {
		return level.keys().entrySet().stream().map((key) -> new KeyDescriptor(key.getKey(), key.getValue())).toList();
	}

	private static List<LimitDescriptor> limitsOf(LevelSnapshot level) {
		return level.limits().stream().map(LimitDescriptor::of).toList();
	}

	private static @Nullable Instant endOf(LevelSnapshot level, Instant now) {
		Duration closedFor = level.closedFor();
		return (closedFor != null) ? now.plus(closedFor).truncatedTo(ChronoUnit.MILLIS) : null;
	}

	private static <S, T> Map<String, T> each(Map<String, S> sources, Function<S, T> mapping) {
		Map<String, T> mapped = new LinkedHashMap<>();
		sources.forEach((name, source) -> mapped.put(name, mapping.apply(source)));
		return mapped;
	}

}
