package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.KeyPool;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.estimation.EstimateOptions.Expectation;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of one provider; what is not set is inherited, key by key.
 *
 * @param dialect How the provider announces limits, refusals and usage. Defaults to the
 * provider's name if it is a dialect, else to generic.
 * @param mode Whether the limits are enforced.
 * @param baseUrls URLs below which the provider is found. Defaults to those of the
 * dialect.
 * @param limits Limits of an account, shared by all its models.
 * @param models Groups of models with limits of their own, on top of the account's.
 * @param accounts Accounts whose limits differ from the provider's.
 * @param keys Keys among which calls are spread. Without, clients bring their own.
 * @param keySelection Which account a call goes to, of those that let it go and have
 * keys. The keys of one account take turns.
 * @param overrideKey Whether a key of the pool takes the place of one that the request
 * has already.
 * @param algorithm How limits count over time. Defaults to what the dialect says.
 * @param burst Time whose worth of a limit may go at once, for limits of up to a minute.
 * If not set, all of a limit may go at once.
 * @param safetyMargin Share of each limit that is used, above 0 and at most 1.
 * @param windowSlack Time by which windows are widened against the spread of network
 * delays, at most 2 percent of a window.
 * @param learnLimits Whether limits follow what the provider announces in its responses,
 * never above the configured ones.
 * @param queue Queue of the calls that wait their turn.
 * @param tokens How tokens are counted.
 * @param backoff What happens after a refusal.
 * @param adaptive How limits follow what the provider accepts.
 * @param onExhausted What a call ends with that was refused as often as it may be sent.
 * @param permitTimeout Time after which a response that nobody reads gives up its permit.
 */
record ProviderProperties(@Nullable String dialect, ProviderSettings.@Nullable Mode mode,
		@DefaultValue List<String> baseUrls, @DefaultValue @NestedConfigurationProperty LimitsProperties limits,
		@DefaultValue Map<String, ModelGroup> models, @DefaultValue Map<String, Account> accounts,
		@DefaultValue List<Key> keys, KeyPool.@Nullable Selection keySelection, @Nullable Boolean overrideKey,
		@DefaultValue Algorithm algorithm, @Nullable Duration burst, @Nullable Double safetyMargin,
		@Nullable Duration windowSlack, @Nullable Boolean learnLimits, @DefaultValue Queue queue,
		@DefaultValue Tokens tokens, @DefaultValue @NestedConfigurationProperty BackoffProperties backoff,
		@DefaultValue @NestedConfigurationProperty AdaptiveProperties adaptive, @Nullable OnExhausted onExhausted,
		@Nullable Duration permitTimeout) {

	/**
	 * These properties, completed by inherited ones.
	 * @param inherited what is inherited where nothing is set
	 * @return the merged properties
	 */
	ProviderProperties or(ProviderProperties inherited) {
		return new ProviderProperties(Inheritance.first(this.dialect, inherited.dialect),
				Inheritance.first(this.mode, inherited.mode), Inheritance.first(this.baseUrls, inherited.baseUrls),
				this.limits.or(inherited.limits), Inheritance.merge(this.models, inherited.models, ModelGroup::or),
				Inheritance.merge(this.accounts, inherited.accounts, Account::or),
				Inheritance.first(this.keys, inherited.keys),
				Inheritance.first(this.keySelection, inherited.keySelection),
				Inheritance.first(this.overrideKey, inherited.overrideKey), this.algorithm.or(inherited.algorithm),
				Inheritance.first(this.burst, inherited.burst),
				Inheritance.first(this.safetyMargin, inherited.safetyMargin),
				Inheritance.first(this.windowSlack, inherited.windowSlack),
				Inheritance.first(this.learnLimits, inherited.learnLimits), this.queue.or(inherited.queue),
				this.tokens.or(inherited.tokens), this.backoff.or(inherited.backoff),
				this.adaptive.or(inherited.adaptive), Inheritance.first(this.onExhausted, inherited.onExhausted),
				Inheritance.first(this.permitTimeout, inherited.permitTimeout));
	}

	/**
	 * What a provider inherits that is known by its dialect alone.
	 * @param dialect name of the dialect
	 * @return these properties without limits, which can only be learned
	 */
	ProviderProperties learningOnly(String dialect) {
		return new ProviderProperties(dialect, this.mode, List.of(), LimitsProperties.NONE, Map.of(), Map.of(),
				List.of(), null, null, this.algorithm, this.burst, this.safetyMargin, this.windowSlack,
				this.learnLimits, this.queue, this.tokens, this.backoff, this.adaptive, this.onExhausted,
				this.permitTimeout);
	}

	/**
	 * What a call ends with.
	 */
	enum OnExhausted {

		/** The provider's last response. */
		RESPONSE,

		/** An exception of the limiter. */
		EXCEPTION

	}

	/**
	 * Models that share limits inside an account.
	 *
	 * @param match Names of the models; an asterisk stands for any characters.
	 * @param limits Limits of the group.
	 */
	record ModelGroup(@DefaultValue List<String> match,
			@DefaultValue @NestedConfigurationProperty LimitsProperties limits) {

		ModelGroup or(ModelGroup inherited) {
			return new ModelGroup(Inheritance.first(this.match, inherited.match), this.limits.or(inherited.limits));
		}

	}

	/**
	 * An account.
	 *
	 * @param limits Limits that differ from the provider's.
	 */
	record Account(@DefaultValue @NestedConfigurationProperty LimitsProperties limits) {

		Account or(Account inherited) {
			return new Account(this.limits.or(inherited.limits));
		}

	}

	/**
	 * A key.
	 *
	 * @param id Name of the key, by which logs and the endpoint know it.
	 * @param value The key itself, which is shown nowhere.
	 * @param account Account whose quota the key spends; one that is not listed below
	 * accounts has the provider's limits.
	 */
	record Key(@Nullable String id, @Nullable String value,
			@DefaultValue(ProviderPlan.DEFAULT_ACCOUNT) String account) {

		/**
		 * A key written as text, which lacks an id. It is converted nevertheless, because
		 * a failed conversion would show the text.
		 */
		public static Key valueOf(String value) {
			return new Key(null, value, ProviderPlan.DEFAULT_ACCOUNT);
		}

		/* Never the value. */
		@Override
		public String toString() {
			return "Key[" + this.id + ", account=" + this.account + "]";
		}

	}

	/**
	 * How limits count.
	 *
	 * @param requests Algorithm of limits on requests.
	 * @param tokens Algorithm of limits on tokens.
	 */
	record Algorithm(@Nullable LimitAlgorithm requests, @Nullable LimitAlgorithm tokens) {

		Algorithm or(Algorithm inherited) {
			return new Algorithm(Inheritance.first(this.requests, inherited.requests),
					Inheritance.first(this.tokens, inherited.tokens));
		}

	}

	/**
	 * The queue.
	 *
	 * @param capacity Number of calls that may wait at once.
	 * @param maxWait Time a call may wait in all, by priority.
	 * @param lowPriorityShare Share of the tokens, for example 10%, that waiting calls of
	 * normal and batch priority together are sure of.
	 * @param interactiveHeadroom Share of each limit, for example 10%, that is left for
	 * interactive calls while there are any.
	 */
	record Queue(@Nullable Integer capacity, @DefaultValue MaxWait maxWait, @Nullable Share lowPriorityShare,
			@Nullable Share interactiveHeadroom) {

		Queue or(Queue inherited) {
			return new Queue(Inheritance.first(this.capacity, inherited.capacity), this.maxWait.or(inherited.maxWait),
					Inheritance.first(this.lowPriorityShare, inherited.lowPriorityShare),
					Inheritance.first(this.interactiveHeadroom, inherited.interactiveHeadroom));
		}

	}

	/**
	 * Tokens.
	 *
	 * @param estimator What measures prompts.
	 * @param reserveOutput What is reserved for an answer.
	 * @param history Number of calls of a model group that estimates learn from; 0 to
	 * learn nothing.
	 * @param expectedOutput Which of the remembered answers is expected next.
	 * @param outputQuantile Quantile of the remembered answers that is expected.
	 * @param outputFactor How many times its prompt an answer is expected to be long
	 * where nothing is known.
	 * @param requestStreamUsage Whether streamed chat completions are asked for their
	 * usage where the provider allows it and the request does not say. The stream then
	 * ends with a chunk without choices.
	 */
	record Tokens(@Nullable Estimator estimator, @Nullable ReserveOutput reserveOutput, @Nullable Integer history,
			@Nullable Expectation expectedOutput, @Nullable Double outputQuantile, @Nullable Double outputFactor,
			@Nullable Boolean requestStreamUsage) {

		Tokens or(Tokens inherited) {
			return new Tokens(Inheritance.first(this.estimator, inherited.estimator),
					Inheritance.first(this.reserveOutput, inherited.reserveOutput),
					Inheritance.first(this.history, inherited.history),
					Inheritance.first(this.expectedOutput, inherited.expectedOutput),
					Inheritance.first(this.outputQuantile, inherited.outputQuantile),
					Inheritance.first(this.outputFactor, inherited.outputFactor),
					Inheritance.first(this.requestStreamUsage, inherited.requestStreamUsage));
		}

	}

	/**
	 * What measures prompts.
	 */
	enum Estimator {

		/** A bean, else the tokenizer if it is on the class path, else the heuristic. */
		AUTO,

		/** The kinds of characters. */
		HEURISTIC,

		/** The tokenizer, which has to be on the class path. */
		JTOKKIT

	}

	/**
	 * What is reserved for an answer.
	 */
	enum ReserveOutput {

		/** What the dialect charges when it admits a call. */
		DIALECT(null),

		/** The most that it may have. */
		MAX_TOKENS(Charge.INPUT_PLUS_MAX_OUTPUT),

		/** What is expected of it. */
		EXPECTED(Charge.INPUT_PLUS_LIKELY_OUTPUT),

		/** Nothing. */
		NONE(Charge.INPUT);

		private final @Nullable Charge charge;

		ReserveOutput(@Nullable Charge charge) {
			this.charge = charge;
		}

		@Nullable Charge charge() {
			return this.charge;
		}

	}

	/**
	 * How long calls may wait.
	 *
	 * @param interactive Time an interactive call may wait in all.
	 * @param normal Time a call of normal priority may wait in all.
	 * @param batch Time a batch call may wait in all.
	 */
	record MaxWait(@Nullable Duration interactive, @Nullable Duration normal, @Nullable Duration batch) {

		/** What is set. */
		Map<Priority, Duration> byPriority() {
			Map<Priority, Duration> set = new EnumMap<>(Priority.class);
			put(set, Priority.INTERACTIVE, this.interactive);
			put(set, Priority.NORMAL, this.normal);
			put(set, Priority.BATCH, this.batch);
			return set;
		}

		private static void put(Map<Priority, Duration> set, Priority priority, @Nullable Duration maxWait) {
			if (maxWait != null) {
				set.put(priority, maxWait);
			}
		}

		MaxWait or(MaxWait inherited) {
			return new MaxWait(Inheritance.first(this.interactive, inherited.interactive),
					Inheritance.first(this.normal, inherited.normal), Inheritance.first(this.batch, inherited.batch));
		}

	}

}
