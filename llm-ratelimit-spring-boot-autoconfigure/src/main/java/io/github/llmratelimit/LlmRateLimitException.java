package io.github.llmratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A call was not admitted. Holds no stack trace: it says something about the call and the
 * limits, not about the code.
 */
@SuppressWarnings("serial")
public class LlmRateLimitException extends RuntimeException {

	private final Reason reason;

	private final String provider;

	private final @Nullable Duration retryAfter;

	private final int attempts;

	/**
	 * Create an exception.
	 * @param reason why the call was not admitted
	 * @param provider name of the provider
	 * @param message what happened and what to change
	 * @param retryAfter when it would have been admitted, {@code null} if unknown or
	 * never
	 * @param attempts how often the call was sent before
	 */
	public LlmRateLimitException(Reason reason, String provider, String message, @Nullable Duration retryAfter,
			int attempts) {
		super(message, null, true, false);
		this.reason = reason;
		this.provider = provider;
		this.retryAfter = retryAfter;
		this.attempts = attempts;
	}

	public Reason reason() {
		return this.reason;
	}

	public String provider() {
		return this.provider;
	}

	/**
	 * How long the call would have had to wait.
	 * @return the time, {@code null} if unknown or if waiting does not help
	 */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

	/**
	 * How often the call was sent before.
	 * @return 0 if it was never sent
	 */
	public int attempts() {
		return this.attempts;
	}

	/**
	 * The same with another number of attempts.
	 * @param attempts how often the call was sent before
	 * @return a new exception
	 */
	public LlmRateLimitException withAttempts(int attempts) {
		return new LlmRateLimitException(this.reason, this.provider, String.valueOf(getMessage()), this.retryAfter,
				attempts);
	}

	/**
	 * Why a call was not admitted.
	 */
	public enum Reason {

		/** Too many calls wait already. */
		QUEUE_FULL(503),

		/** The call's deadline lies before the moment it could go. */
		WAIT_TOO_LONG(429),

		/** The call is larger than a limit. */
		NEVER_FITS(422),

		/** A quota is used up or unpaid: waiting does not help before its reset. */
		QUOTA_EXHAUSTED(503),

		/** Every key that the call could use has been rejected by the provider. */
		NO_KEY(503),

		/** The provider has locked the account. */
		BANNED(503),

		/** The level is paused for longer than the call may wait. */
		PAUSED(503),

		/** The call was refused as often as it may be sent. */
		RETRIES_EXHAUSTED(429);

		private final int httpStatus;

		Reason(int httpStatus) {
			this.httpStatus = httpStatus;
		}

		/**
		 * The HTTP status that tells a web client of this.
		 * @return a 4xx or 5xx status
		 */
		public int httpStatus() {
			return this.httpStatus;
		}

	}

}
