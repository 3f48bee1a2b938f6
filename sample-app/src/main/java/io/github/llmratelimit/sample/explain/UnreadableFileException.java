package io.github.llmratelimit.sample.explain;

/**
 * There is nothing to explain, and why.
 */
final class UnreadableFileException extends Exception {

	UnreadableFileException(String problem, String expected) {
		super(problem + " (expected: " + expected + ")");
	}

}
