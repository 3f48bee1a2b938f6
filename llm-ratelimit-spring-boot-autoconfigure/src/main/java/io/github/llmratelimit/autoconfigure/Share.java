package io.github.llmratelimit.autoconfigure;

/**
 * A share of a whole, written as {@code 80%} or {@code 0.8}. No record, which would look
 * like a group of properties.
 */
final class Share {

	private final double value;

	Share(double value) {
		this.value = value;
	}

	/** 1 for all. */
	double value() {
		return this.value;
	}

	public static Share valueOf(String text) {
		String trimmed = text.trim();
		boolean percent = trimmed.endsWith("%");
		try {
			double number = Double.parseDouble(percent ? trimmed.substring(0, trimmed.length() - 1) : trimmed);
			return new Share(percent ? number / 100 : number);
		}
		catch (NumberFormatException ex) {
			// Without the cause, which Boot would show instead
			throw new IllegalArgumentException("'" + text + "' is no share (expected: such as 80% or 0.8)");
		}
	}

	/* YAML hands over numbers as such. */
	public static Share valueOf(Double number) {
		return new Share(number);
	}

	public static Share valueOf(Integer number) {
		return new Share(number);
	}

	@Override
	public String toString() {
		return String.valueOf(this.value);
	}

}
