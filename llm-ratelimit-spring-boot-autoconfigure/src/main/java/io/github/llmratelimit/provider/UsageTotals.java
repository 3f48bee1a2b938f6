package io.github.llmratelimit.provider;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.TokenUsage;

/**
 * The tokens that a body reports. The last value of each kind counts: streams report
 * running totals.
 */
final class UsageTotals {

	private static final long UNKNOWN = -1;

	private long input = UNKNOWN;

	private long addedInput = UNKNOWN;

	private long freeInput = UNKNOWN;

	private long output = UNKNOWN;

	private long total = UNKNOWN;

	/** Takes a value; returns false if it is none of usage. */
	boolean put(BodyField field, byte[] value, int length) {
		switch (field) {
			case INPUT_TOKENS -> this.input = number(value, length, this.input);
			case ADDED_INPUT_TOKENS -> this.addedInput = number(value, length, this.addedInput);
			case FREE_INPUT_TOKENS -> this.freeInput = number(value, length, this.freeInput);
			case OUTPUT_TOKENS -> this.output = number(value, length, this.output);
			case TOTAL_TOKENS -> this.total = number(value, length, this.total);
			default -> {
				return false;
			}
		}
		return true;
	}

	/**
	 * What counts against limits, {@code null} if nothing was reported. Zeros are no
	 * report where output was seen.
	 */
	@Nullable TokenUsage usage(int outputWeight, long outputSeen) {
		if (this.input == UNKNOWN && this.output == UNKNOWN && this.addedInput == UNKNOWN) {
			return (this.total > 0) ? TokenUsage.ofTotal(this.total) : null;
		}
		long input = input() + known(this.addedInput);
		long output = Math.max(known(this.output), this.total - input);
		if (input + output == 0 && outputSeen > 0) {
			return null;
		}
		return new TokenUsage(Math.max(0, input - known(this.freeInput)), outputWeight * output);
	}

	private long input() {
		return (this.input == UNKNOWN) ? Math.max(0, this.total - known(this.output)) : this.input;
	}

	private static long known(long number) {
		return Math.max(0, number);
	}

	private static long number(byte[] value, int length, long otherwise) {
		long number = 0;
		for (int i = 0; i < length; i++) {
			int digit = value[i] - '0';
			if (digit < 0 || digit > 9 || number > Integer.MAX_VALUE) {
				return otherwise;
			}
			number = 10 * number + digit;
		}
		return (length > 0) ? number : otherwise;
	}

}
