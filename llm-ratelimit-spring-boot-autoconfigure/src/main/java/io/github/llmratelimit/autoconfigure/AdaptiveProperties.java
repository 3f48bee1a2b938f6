package io.github.llmratelimit.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How limits follow what the provider accepts.
 *
 * @param enabled Whether limits that the provider does not announce follow what it
 * accepts.
 * @param start Share of a limit that is used at first.
 * @param increase Share by which a limit grows while calls wait for it.
 * @param every Time without a refusal after which a limit grows.
 * @param decrease Share of what is used that a burst of refusals takes away.
 * @param ceiling What a limit never grows above.
 */
record AdaptiveProperties(@Nullable Boolean enabled, @Nullable Share start, @Nullable Share increase,
		@Nullable Duration every, @Nullable Share decrease, @Nullable Ceiling ceiling) {

	AdaptiveProperties or(AdaptiveProperties inherited) {
		return new AdaptiveProperties(Inheritance.first(this.enabled, inherited.enabled),
				Inheritance.first(this.start, inherited.start), Inheritance.first(this.increase, inherited.increase),
				Inheritance.first(this.every, inherited.every), Inheritance.first(this.decrease, inherited.decrease),
				Inheritance.first(this.ceiling, inherited.ceiling));
	}

	/**
	 * What a limit never grows above.
	 */
	enum Ceiling {

		/** What is configured. */
		CONFIGURED,

		/** Nothing. */
		NONE

	}

}
