package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.List;

/**
 * What a simulated provider saw, computed from its log of calls and not from the state
 * that enforces the limits. Immutable. Durations count from the provider's start and are
 * zero if the thing never happened.
 *
 * @param accepted calls that were admitted, also those that failed afterwards
 * @param refusedRequests calls refused by requests per minute
 * @param refusedTokens calls refused by tokens per minute, of any kind, or too large for
 * it
 * @param refusedConcurrency calls refused by concurrency
 * @param refusedBanned calls refused because their account was banned
 * @param unauthorized calls answered with status 401, because their key was revoked
 * @param scripted calls answered by a script, whatever it said; they met no limit
 * @param failed admitted calls answered with a failure
 * @param tokensCharged tokens charged for admitted calls, as far as settled
 * @param highestRequestsInWindow most calls of one account admitted in any rolling minute
 * @param highestTokensInWindow most tokens of one account charged in any rolling minute;
 * a full bucket lets through nearly twice its limit
 * @param highestConcurrency most calls of one account in progress at one time
 * @param firstArrival when the first call arrived
 * @param lastAccepted when the last admitted call arrived
 * @param lastCompleted when the last admitted call ended at the provider
 * @param arrivalsPerSecond calls that arrived, refused or not, in each second from the
 * start
 */
public record Ledger(int accepted, int refusedRequests, int refusedTokens, int refusedConcurrency, int refusedBanned,
		int unauthorized, int scripted, int failed, long tokensCharged, int highestRequestsInWindow,
		long highestTokensInWindow, int highestConcurrency, Duration firstArrival, Duration lastAccepted,
		Duration lastCompleted, List<Integer> arrivalsPerSecond) {

	public Ledger {
		arrivalsPerSecond = List.copyOf(arrivalsPerSecond);
	}

	/** All refused calls, whatever refused them. */
	public int refused() {
		return this.refusedRequests + this.refusedTokens + this.refusedConcurrency + this.refusedBanned;
	}

	/** All calls that arrived. */
	public int arrivals() {
		return this.accepted + refused() + this.unauthorized + this.scripted;
	}

	/** Time from the first arrival to the end of the last admitted call. */
	public Duration makespan() {
		return (this.accepted > 0) ? this.lastCompleted.minus(this.firstArrival) : Duration.ZERO;
	}

}
