package io.github.llmratelimit.provider;

/**
 * What a value in a response body says, wherever a dialect puts it.
 */
enum BodyField {

	INPUT_TOKENS, OUTPUT_TOKENS, TOTAL_TOKENS,

	/** Text the model has written. */
	OUTPUT_TEXT,

	/** Type of the whole document or event. */
	KIND,

	/** An error that is only a text, or has its parts beside it. */
	ERROR, CODE, MESSAGE,

	ERROR_CODE, ERROR_TYPE, ERROR_MESSAGE,

	/** The HTTP status a response should have had. */
	STATUS,

	/** Seconds until the limit or quota is reset. */
	RESET_SECONDS

}
