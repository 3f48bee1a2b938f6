package io.github.llmratelimit.simulator.dialect;

/**
 * A request that is no call of the simulated API; it meets no limit and is not logged.
 */
public final class UnreadableCallException extends RuntimeException {

	private final transient Problem problem;

	UnreadableCallException(Problem problem) {
		super(problem.body().toString());
		this.problem = problem;
	}

	/** How the provider answers it. */
	public Problem problem() {
		return this.problem;
	}

}
