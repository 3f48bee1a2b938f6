package io.github.llmratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * An admitted call's claim on the limits of its scope. It MUST be ended, and ends exactly
 * once: the first call of {@link #complete} or {@link #refuse} counts, every later one is
 * ignored. Thread-safe; no method blocks.
 */
public interface Permit {

	/**
	 * The scope whose quota is used, with the account chosen at admission.
	 * @return the scope
	 */
	LimitScope scope();

	/**
	 * The pooled key chosen at admission.
	 * @return id of the key, {@code null} if the call uses none of the pool
	 */
	@Nullable String key();

	/**
	 * The admitted call.
	 * @return the call, with the estimate that was really reserved
	 */
	LlmCall call();

	/**
	 * How long the call waited for this permit.
	 * @return the time since it was asked for
	 */
	Duration waited();

	/**
	 * Whether the call was let through a closed level to see if it is open again.
	 * @return true if a refusal says nothing about this call
	 */
	boolean isProbe();

	/**
	 * Correct the levels by what a response announces.
	 * @param limits the announced limits
	 */
	void observe(ObservedLimits limits);

	/**
	 * End the permit.
	 * @param outcome how the call ended
	 * @param usage tokens really used, {@code null} if unknown
	 * @return whether this call ended it
	 */
	boolean complete(CallOutcome outcome, @Nullable TokenUsage usage);

	/**
	 * End the permit because the provider has refused the call, and close the level that
	 * the refusal concerns before anybody else is admitted.
	 * @param signal what the refusal means
	 * @param cooldown how long the level stays closed; zero to leave it open
	 * @return whether this call ended it
	 */
	boolean refuse(ThrottleSignal signal, Cooldown cooldown);

	/**
	 * The same call to be admitted again in its old place.
	 * @param backoff how long it waits before it gets in line again
	 * @return the call with its turn, {@code null} if its waiting time is used up by then
	 */
	@Nullable LlmCall again(Duration backoff);

}
