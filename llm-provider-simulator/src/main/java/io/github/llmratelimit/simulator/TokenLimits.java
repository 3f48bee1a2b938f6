package io.github.llmratelimit.simulator;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.llmratelimit.simulator.dialect.Levels.Level;
import io.github.llmratelimit.simulator.dialect.Refusal.Cause;
import org.jspecify.annotations.Nullable;

/**
 * The token limits of one account: on all tokens, on input and on output, each by the
 * cause it refuses with. Not thread-safe. Output is taken when it has been written; a
 * call is only admitted while some of it is left.
 */
final class TokenLimits {

	private final Map<Cause, TokenLimit> limits = new EnumMap<>(Cause.class);

	TokenLimits(SimulatorOptions options, long now) {
		change(options, now);
	}

	void change(SimulatorOptions options, long now) {
		change(Cause.TOKENS, options.tokensPerMinute(), options, now);
		change(Cause.INPUT_TOKENS, options.inputTokensPerMinute(), options, now);
		change(Cause.OUTPUT_TOKENS, options.outputTokensPerMinute(), options, now);
	}

	private void change(Cause cause, @Nullable Long tokens, SimulatorOptions options, long now) {
		TokenLimit present = this.limits.get(cause);
		if (tokens == null) {
			this.limits.remove(cause);
		}
		else if (present == null) {
			this.limits.put(cause, TokenLimit.of(tokens, options, now));
		}
		else {
			present.changeLimit(tokens, now);
		}
	}

	/** The limit that a call can never meet, if there is one. */
	Optional<Cause> tooSmallFor(Cost cost) {
		return this.limits.entrySet()
			.stream()
			.filter((limit) -> cost.asked(limit.getKey()) > limit.getValue().limit())
			.map(Map.Entry::getKey)
			.findFirst();
	}

	/** How long a call would wait for each limit; 0 where it fits. */
	Map<Cause, Long> waits(Cost cost, long now) {
		Map<Cause, Long> waits = new EnumMap<>(Cause.class);
		this.limits.forEach((cause, limit) -> waits.put(cause, limit.waitNanos(cost.asked(cause), now)));
		return waits;
	}

	/**
	 * Takes what a call costs when it is admitted; only the charge can be settled later.
	 */
	TokenLimit.@Nullable Charge take(Cost cost, long now) {
		spend(Cause.INPUT_TOKENS, cost.input(), now);
		return spend(Cause.TOKENS, cost.charge(), now);
	}

	void takeOutput(long tokens, long now) {
		spend(Cause.OUTPUT_TOKENS, tokens, now);
	}

	private TokenLimit.@Nullable Charge spend(Cause cause, long tokens, long now) {
		TokenLimit limit = this.limits.get(cause);
		return (limit != null) ? limit.take(tokens, now) : null;
	}

	void settle(TokenLimit.@Nullable Charge charge, long tokens, long now) {
		TokenLimit limit = this.limits.get(Cause.TOKENS);
		if (limit != null && charge != null) {
			limit.settle(charge, tokens, now);
		}
	}

	@Nullable Level level(Cause cause, long now) {
		TokenLimit limit = this.limits.get(cause);
		return (limit != null) ? Level.of(limit.limit(), limit.used(now), limit.resetNanos(now)) : null;
	}

	/** The limit that refuses with that cause; there is one. */
	TokenLimit get(Cause cause) {
		return Objects.requireNonNull(this.limits.get(cause));
	}

	/**
	 * What a call costs.
	 *
	 * @param charge of all tokens, at its admission
	 * @param input of input tokens, at its admission
	 */
	record Cost(long charge, long input) {

		private static final long SOME_OUTPUT = 1;

		long asked(Cause cause) {
			return switch (cause) {
				case TOKENS -> this.charge;
				case INPUT_TOKENS -> this.input;
				case OUTPUT_TOKENS -> SOME_OUTPUT;
				default -> 0;
			};
		}

	}

}
