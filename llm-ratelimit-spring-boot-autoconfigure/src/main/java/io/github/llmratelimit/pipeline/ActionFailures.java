package io.github.llmratelimit.pipeline;

import java.util.function.Function;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;

/**
 * Says what the failures of actions mean. Implementations MUST be thread-safe and MUST
 * NOT block.
 */
@FunctionalInterface
public interface ActionFailures {

	/**
	 * What a failure means.
	 * @param call the call that has failed
	 * @param failure why it has failed, without the wrappers of futures
	 * @return the meaning
	 */
	Reading read(LlmCall call, Throwable failure);

	/**
	 * The same after somebody else was asked.
	 * @param first says what a failure means, {@code null} if it does not know
	 * @return asks both
	 */
	default ActionFailures after(Function<? super Throwable, @Nullable ThrottleSignal> first) {
		return (call, failure) -> {
			ThrottleSignal signal = first.apply(failure);
			return (signal != null) ? Reading.of(signal) : read(call, failure);
		};
	}

	/**
	 * What was read in a failure.
	 *
	 * @param signal what it means
	 * @param status HTTP status of the response, 0 if the connection was lost before
	 * there was one, -1 if neither is known
	 * @param limits the limits that the response announces
	 */
	record Reading(ThrottleSignal signal, int status, ObservedLimits limits) {

		private static final int UNKNOWN = -1;

		/**
		 * A failure whose meaning is known.
		 * @param signal what it means
		 * @return the meaning
		 */
		public static Reading of(ThrottleSignal signal) {
			return new Reading(signal, UNKNOWN, ObservedLimits.NONE);
		}

		/**
		 * A failure that no response tells of.
		 * @param failure the failure
		 * @return its meaning
		 */
		public static Reading withoutResponse(Throwable failure) {
			return new Reading(SendFailure.classify(failure), SendFailure.isOfConnection(failure) ? 0 : UNKNOWN,
					ObservedLimits.NONE);
		}

		boolean isOfResponse() {
			return this.status > 0;
		}

	}

}
