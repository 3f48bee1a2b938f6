package io.github.llmratelimit;

/**
 * How urgent a call is: a waiting call is admitted before every call of a later constant.
 */
public enum Priority {

	/** Somebody waits for the answer. */
	INTERACTIVE,

	/** The default. */
	NORMAL,

	/** Background work that only has to be finished in time. */
	BATCH

}
