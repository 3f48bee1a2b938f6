package io.github.llmratelimit.actuate;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderPlan;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What an operator asks of a provider, checked.
 *
 * @param level the level that is meant
 * @param limit name of a limit, if one is to be changed
 * @param value its new amount
 * @param duration how long a pause lasts, {@code null} until it is resumed
 * @param cause why
 */
record OperatorRequest(LimitScope level, @Nullable String limit, @Nullable Long value, @Nullable Duration duration,
		@Nullable String cause) {

	private static final String MAX_CONCURRENCY = "max-concurrency";

	private static final String BY_OPERATOR = "paused by an operator";

	static LimitScope level(String provider, @Nullable String account, @Nullable String model) {
		return new LimitScope(provider, (account != null) ? account : LimitScope.ANY_ACCOUNT,
				(model != null) ? model : ProviderPlan.ANY_MODEL);
	}

	Mono<Void> of(RateLimitEndpoint.Action action, CallAdmission admission) {
		return switch (action) {
			case SET -> admission.changeLimits(this.level, changeTo(positive()));
			case REMOVE -> admission.changeLimits(this.level, changeTo(null));
			case PAUSE -> admission.pause(account(), this.duration,
					(this.cause != null) ? BY_OPERATOR + ": " + this.cause : BY_OPERATOR);
			case RESUME -> admission.resume(account());
		};
	}

	private LimitScope account() {
		if (this.level.isOfModelGroup()) {
			throw new IllegalArgumentException("model: " + this.level.modelGroup() + " (expected: none, only a "
					+ "provider or an account is paused; set its max-concurrency to 1 instead)");
		}
		return this.level;
	}

	private long positive() {
		long most = MAX_CONCURRENCY.equals(this.limit) ? Integer.MAX_VALUE : Long.MAX_VALUE / 4;
		if (this.value == null || this.value < 1 || this.value > most) {
			throw new IllegalArgumentException(
					"value: " + this.value + " (expected: > 0 and <= " + most + "; remove the limit if there is none)");
		}
		return this.value;
	}

	private UnaryOperator<LimitPlan> changeTo(@Nullable Long amount) {
		return (plan) -> MAX_CONCURRENCY.equals(this.limit)
				? plan.withMaxConcurrency((amount != null) ? amount.intValue() : null) : changed(plan, amount);
	}

	private LimitPlan changed(LimitPlan plan, @Nullable Long amount) {
		List<String> names = plan.limits().stream().map(Limit::name).toList();
		if (this.limit == null || !names.contains(this.limit)) {
			throw new IllegalArgumentException("limit: " + this.limit + " (expected: one of " + names + " or "
					+ MAX_CONCURRENCY + "; others are added in the configuration)");
		}
		return new LimitPlan(plan.limits().stream().flatMap((present) -> changed(present, amount)).toList(),
				plan.maxConcurrency());
	}

	private Stream<Limit> changed(Limit present, @Nullable Long amount) {
		if (!present.name().equals(this.limit)) {
			return Stream.of(present);
		}
		return (amount != null) ? Stream.of(present.withAmount(amount)) : Stream.empty();
	}

}
