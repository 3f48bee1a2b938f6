package io.github.llmratelimit.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import io.github.llmratelimit.simulator.Decision.Admission;
import io.github.llmratelimit.simulator.Decision.Refused;
import io.github.llmratelimit.simulator.Decision.Unauthorized;
import io.github.llmratelimit.simulator.dialect.Call;
import io.github.llmratelimit.simulator.dialect.Refusal;

/**
 * The provider as a pure state machine: it admits or refuses calls as they arrive and
 * keeps a log. Not thread-safe. It reads no clock; {@code now} is in nanoseconds and MUST
 * NOT go back.
 */
final class SimulatedProvider {

	private final long start;

	private final Map<String, AccountLimits> accounts = new HashMap<>();

	private final CallLog log = new CallLog();

	// Two generators, so that output lengths are the same whatever the network does.
	private final Random outputs;

	private final Random delays;

	private SimulatorOptions options;

	private long admitted;

	SimulatedProvider(SimulatorOptions options, long start) {
		this.options = options;
		this.start = start;
		this.outputs = new Random(options.seed());
		this.delays = new Random(options.seed() + 1);
	}

	/** Decides about a call that arrives now. */
	Decision arrive(Call call, long now) {
		this.log.arrived(now - this.start);
		if (this.options.revokedKeys().contains(call.key())) {
			this.log.unauthorized();
			return new Unauthorized();
		}
		String name = this.options.accountOf(call.key());
		AccountLimits account = this.accounts.computeIfAbsent(name, (absent) -> firstSeen());
		int output = call.outputTokens(this.options.outputTokens().draw(this.outputs));
		long charge = this.options.charging().of(call, output);
		TokenLimits.Cost cost = new TokenLimits.Cost(charge, call.promptTokens());
		Refusal refusal = account.refuse(cost, now);
		if (refusal != null) {
			this.log.refused(refusal.cause());
			return new Refused(refusal);
		}
		int status = nextStatus();
		CallLog.Entry entry = this.log.admitted(name, charge, status != 200, now - this.start);
		TokenLimit.Charge taken = account.admit(cost, now);
		return new Admission(this.admitted, call, account, entry, taken, output, status,
				this.options.latency().drawNanos(this.delays), account.levels(now));
	}

	// What was used before was used at the start, however late the account is seen.
	private AccountLimits firstSeen() {
		return new AccountLimits(this.options, this.start);
	}

	private int nextStatus() {
		this.admitted++;
		SimulatorOptions.Failures failures = this.options.failures();
		return (failures != null && this.admitted % failures.every() == 0) ? failures.status() : 200;
	}

	/** Ends an admitted call after so much output; the second time does nothing. */
	void finish(Admission admission, int outputTokens, long now) {
		if (!admission.entry().end(now - this.start)) {
			return;
		}
		admission.account().leave(outputTokens, now);
		if (this.options.settles()) {
			long used = admission.call().promptTokens() + outputTokens;
			admission.account().settle(admission.charge(), used, now);
			admission.entry().tokens = used;
		}
	}

	/**
	 * Replaces the options. New limits meet what was counted under the old ones; accounts
	 * already seen keep their minute, slices, token algorithm and ban.
	 */
	void changeLimits(SimulatorOptions changed, long now) {
		this.options = changed;
		this.accounts.values().forEach((account) -> account.changeLimits(changed, now));
	}

	/**
	 * Notes a call that a script answers; it meets no limit.
	 * @return time until its response headers
	 */
	long arriveScripted(long now) {
		this.log.arrived(now - this.start);
		this.log.scripted();
		return this.options.latency().drawNanos(this.delays);
	}

	SimulatorOptions options() {
		return this.options;
	}

	long drawNetworkDelay() {
		return this.options.networkDelay().drawNanos(this.delays);
	}

	Ledger ledger() {
		return this.log.ledger(this.options.minute());
	}

}
