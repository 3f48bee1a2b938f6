package io.github.llmratelimit.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderPlan;

/**
 * One call at a time to a model of which no response has been seen yet, because the first
 * one may announce limits; but not longer than {@value #MOST_SECONDS} s for each call.
 * Not thread-safe; remembers a bounded number of models.
 */
final class CautiousStart {

	private static final long MOST_SECONDS = 10;

	private static final int MOST_MODELS = 1000;

	/** The moment of a call that has been answered. */
	private static final long ANSWERED = Long.MIN_VALUE;

	private final boolean perModel;

	private final BlockedBy blockedBy;

	/** When the last call to each model was admitted. */
	private final Map<String, Long> admitted = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > MOST_MODELS;
		}

	};

	CautiousStart(boolean perModel, LimitScope account) {
		this.perModel = perModel;
		this.blockedBy = new BlockedBy(account.account(), account.modelGroup(), BlockedBy.FIRST_RESPONSE, null);
	}

	/** What holds a claim up, {@code null} if nothing does. */
	@Nullable Verdict check(Claim claim, long now) {
		long admitted = this.admitted.getOrDefault(keyOf(claim), ANSWERED);
		long left = (admitted != ANSWERED) ? admitted + TimeUnit.SECONDS.toNanos(MOST_SECONDS) - now : 0;
		return (left > 0) ? Verdict.waitFor(left, this.blockedBy) : null;
	}

	void take(Claim claim, long now) {
		String key = keyOf(claim);
		Long admitted = this.admitted.get(key);
		if (admitted == null || admitted != ANSWERED) {
			this.admitted.put(key, now);
		}
	}

	/** A response has come, whatever it says. */
	void answered(Claim claim) {
		this.admitted.put(keyOf(claim), ANSWERED);
	}

	void ended(Claim claim, CallOutcome outcome) {
		if (outcome != CallOutcome.NOT_SENT && outcome != CallOutcome.CANCELLED) {
			answered(claim);
		}
		else if (this.admitted.getOrDefault(keyOf(claim), ANSWERED) != ANSWERED) {
			this.admitted.remove(keyOf(claim));
		}
	}

	/** Begin anew with a model whose limits are no longer known. */
	void forget(String model) {
		if (this.perModel) {
			this.admitted.remove(model);
		}
	}

	private String keyOf(Claim claim) {
		String model = claim.call().model();
		return (this.perModel && model != null) ? model : ProviderPlan.ANY_MODEL;
	}

}
