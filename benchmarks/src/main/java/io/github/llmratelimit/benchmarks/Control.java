package io.github.llmratelimit.benchmarks;

/**
 * The control of a measurement: the same thing measured twice must come out the same, or
 * the machine was too restless to tell anything.
 *
 * @param ratio the second measurement ÷ the first
 * @param required whether a control that is off voids the run
 */
public record Control(double ratio, boolean required) {

	private static final double TOLERANCE = 0.03;

	private static final int MOST_ATTEMPTS = 3;

	/**
	 * Measure until the control is in order, at most three times.
	 * @param arguments options; a quick run needs no good control
	 * @param measurement measures (more) and returns the ratio of the control
	 * @return the last control
	 * @throws E if it cannot be measured
	 * @param <E> type of that failure
	 */
	public static <E extends Exception> Control repeat(Arguments arguments, Measurement<E> measurement) throws E {
		Control control = new Control(measurement.measure(), !arguments.isQuick());
		for (int attempt = 1; attempt < MOST_ATTEMPTS && control.exitCode() != 0; attempt++) {
			System.err.println("Control is off by more than 3 %: measuring again");
			control = new Control(measurement.measure(), true);
		}
		return control;
	}

	/**
	 * Whether the run counts.
	 * @return 0, or 1 if it is void
	 */
	public int exitCode() {
		return (this.required && !(Math.abs(this.ratio - 1) <= TOLERANCE)) ? 1 : 0;
	}

	/** Print the control. */
	public void print() {
		System.out.printf("%nA/A control: %.3f%s%n", this.ratio,
				(exitCode() == 0) ? "" : " - off by more than 3 %: this run is void");
	}

	/**
	 * Something that can be measured again.
	 *
	 * @param <E> type of its failure
	 */
	@FunctionalInterface
	public interface Measurement<E extends Exception> {

		/**
		 * Measure.
		 * @return the ratio of the control
		 * @throws E if it cannot be measured
		 */
		double measure() throws E;

	}

}
