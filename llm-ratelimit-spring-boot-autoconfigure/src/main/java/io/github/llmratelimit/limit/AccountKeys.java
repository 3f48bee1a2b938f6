package io.github.llmratelimit.limit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ClosingRules;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;

/**
 * The pooled keys of one account, which take turns, and each of which may be out of
 * service alone. Not thread-safe.
 */
final class AccountKeys {

	private final Key[] keys;

	private int turn;

	AccountKeys(List<String> ids, ClosingRules rules, LimitScope account) {
		this.keys = ids.stream().map((id) -> new Key(id, Gate.ofKey(rules, account, id))).toArray(Key[]::new);
	}

	/** What holds a claim up for want of a key, {@code null} if nothing does. */
	@Nullable Verdict check(Claim claim, long now) {
		Verdict shortest = null;
		for (Key key : this.keys) {
			if (claim.mayUse(key.id())) {
				Verdict closed = key.gate().check(now);
				if (closed == null) {
					return null;
				}
				shortest = (shortest != null) ? shortest.or(closed) : closed;
			}
		}
		return shortest;
	}

	/**
	 * Choose the key of a claim, a closed one only if there is no other.
	 * @return whether its call goes to see if the key is accepted again
	 */
	boolean take(Claim claim, long now) {
		int chosen = choose(claim, now);
		if (chosen < 0) {
			return false;
		}
		this.turn = chosen + 1;
		claim.use(this.keys[chosen].id());
		return this.keys[chosen].gate().take(now);
	}

	private int choose(Claim claim, long now) {
		int closed = -1;
		for (int i = 0; i < this.keys.length; i++) {
			int next = (this.turn + i) % this.keys.length;
			if (claim.mayUse(this.keys[next].id())) {
				if (this.keys[next].gate().check(now) == null) {
					return next;
				}
				closed = (closed < 0) ? next : closed;
			}
		}
		return closed;
	}

	/** Whether a refusal is about the key of its call, rather than about the account. */
	boolean areMeantBy(Claim claim, ThrottleSignal signal) {
		boolean ofKey = signal.outcome() == CallOutcome.KEY_REJECTED
				|| signal.outcome() == CallOutcome.QUOTA_EXHAUSTED && signal.level() == ThrottleSignal.Level.KEY;
		return ofKey && (claim.key() != null || LlmCall.OWN_KEY.equals(claim.call().key()));
	}

	/**
	 * React to a refusal that is about the key of its call.
	 * @return what has changed, {@code null} if nothing has, or if the key is not ours
	 */
	@Nullable LevelChange refuse(Claim claim, ThrottleSignal signal, long now) {
		Gate gate = gateOf(claim);
		if (gate == null) {
			return null;
		}
		return (signal.outcome() == CallOutcome.KEY_REJECTED) ? gate.keyRejected(claim.admittedAt(), now)
				: gate.quotaExhausted(signal.hint(), signal.reason(), now);
	}

	/** The call of a claim has succeeded. */
	@Nullable LevelChange succeeded(Claim claim) {
		Gate gate = gateOf(claim);
		return (gate != null) ? gate.succeeded(claim.admittedAt()) : null;
	}

	private @Nullable Gate gateOf(Claim claim) {
		for (Key key : this.keys) {
			if (key.id().equals(claim.key())) {
				return key.gate();
			}
		}
		return null;
	}

	Map<String, State> snapshot(long now) {
		Map<String, State> states = new LinkedHashMap<>();
		for (Key key : this.keys) {
			states.put(key.id(), key.gate().state(now));
		}
		return states;
	}

	/**
	 * A key and whether it is in service.
	 */
	private record Key(String id, Gate gate) {

	}

}
