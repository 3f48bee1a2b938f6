package io.github.llmratelimit.metrics;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.docs.MeterDocumentation;

/**
 * The meters. Each has the tags {@link Tag#PROVIDER}, {@link Tag#ACCOUNT} and
 * {@link Tag#MODEL}, and those it names.
 */
public enum RateLimitMeters implements MeterDocumentation {

	/** Attempts that have ended, and calls that were not admitted. */
	CALLS("llm.ratelimit.calls", Meter.Type.COUNTER, Tag.OUTCOME),

	/** Time a call waited for its permit. */
	WAIT("llm.ratelimit.wait", Meter.Type.TIMER, Tag.PRIORITY),

	/** Refusals by the provider. */
	THROTTLED("llm.ratelimit.throttled", Meter.Type.COUNTER, Tag.CAUSE),

	/** Attempts after the first. */
	RETRIES("llm.ratelimit.retries", Meter.Type.COUNTER),

	/** Refused calls that a fallback has answered. */
	FALLBACKS("llm.ratelimit.fallbacks", Meter.Type.COUNTER, Tag.REASON),

	/** Tokens of the calls that were sent. */
	TOKENS("llm.ratelimit.tokens", Meter.Type.COUNTER, Tag.KIND) {

		@Override
		public String getBaseUnit() {
			return "tokens";
		}

	},

	/** Used tokens as a multiple of the estimate; 1 is a perfect estimate. */
	ESTIMATE_ERROR("llm.ratelimit.estimate.error", Meter.Type.DISTRIBUTION_SUMMARY),

	/** Used share of a limit's effective ceiling. */
	LIMIT_UTILIZATION("llm.ratelimit.limit.utilization", Meter.Type.GAUGE, Tag.LIMIT),

	/** What is left of a limit's effective ceiling. */
	LIMIT_REMAINING("llm.ratelimit.limit.remaining", Meter.Type.GAUGE, Tag.LIMIT),

	/** Calls waiting in line; the queue spans accounts and models. */
	QUEUE_SIZE("llm.ratelimit.queue.size", Meter.Type.GAUGE, Tag.PRIORITY),

	/** Calls that hold a permit. */
	IN_FLIGHT("llm.ratelimit.in.flight", Meter.Type.GAUGE),

	/** Time until a closed level opens again, 0 if it is open. */
	COOLDOWN("llm.ratelimit.cooldown", Meter.Type.GAUGE) {

		@Override
		public String getBaseUnit() {
			return "seconds";
		}

	};

	private final String name;

	private final Meter.Type type;

	private final KeyName[] own;

	RateLimitMeters(String name, Meter.Type type, KeyName... own) {
		this.name = name;
		this.type = type;
		this.own = own;
	}

	@Override
	public String getName() {
		return this.name;
	}

	/** Remove a meter, as it was registered, if it is there. */
	void remove(MeterRegistry registry, Tags tags) {
		registry.removeByPreFilterId(new Meter.Id(this.name, tags, getBaseUnit(), null, this.type));
	}

	@Override
	public Meter.Type getType() {
		return this.type;
	}

	@Override
	public KeyName[] getKeyNames() {
		return KeyName.merge(new KeyName[] { Tag.PROVIDER, Tag.ACCOUNT, Tag.MODEL }, this.own);
	}

	/**
	 * The tags.
	 */
	public enum Tag implements KeyName {

		/** Name of the provider. */
		PROVIDER,

		/** Name of the account; {@code *} for the calls of none in particular. */
		ACCOUNT,

		/**
		 * Model group; {@code *} for an account as a whole and for models without group.
		 */
		MODEL,

		/** How a call ended, or why it was not admitted. */
		OUTCOME,

		/** Priority of the call. */
		PRIORITY,

		/** The limit that was hit, if known. */
		CAUSE,

		/** Why a call was refused. */
		REASON,

		/** Whether tokens are {@code estimated} or {@code used}. */
		KIND,

		/** Name of the limit. */
		LIMIT;

		@Override
		public String asString() {
			return Labels.of(this);
		}

	}

}
