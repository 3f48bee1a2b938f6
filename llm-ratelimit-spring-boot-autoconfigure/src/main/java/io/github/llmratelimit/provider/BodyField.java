package io.github.llmratelimit.provider;

/**
 * What a value in a response body says, wherever a dialect puts it.
 */
public enum BodyField {

	/** Tokens of the prompt. */
	INPUT_TOKENS,

	/** Tokens of the prompt that count, but are not among {@link #INPUT_TOKENS}. */
	ADDED_INPUT_TOKENS,

	/** Tokens of the prompt that are among {@link #INPUT_TOKENS}, but do not count. */
	FREE_INPUT_TOKENS,

	/** Tokens of the answer. */
	OUTPUT_TOKENS,

	/** Both together. */
	TOTAL_TOKENS,

	/** Text the model has written. */
	OUTPUT_TEXT,

	/** Another document, in Base64. */
	EMBEDDED,

	/** Name of an event in a stream. */
	EVENT,

	/** Type of the whole document or event. */
	KIND,

	/** An error that is only a text, or has its parts beside it. */
	ERROR,

	/** A code that other documents may have too. */
	CODE,

	/** A text that other documents may have too. */
	MESSAGE,

	/** Code of an error. */
	ERROR_CODE,

	/** Type of an error. */
	ERROR_TYPE,

	/** Text of an error. */
	ERROR_MESSAGE,

	/** The HTTP status a response should have had. */
	STATUS,

	/** A text or code that says more about an error; all of them count. */
	DETAIL,

	/** The ceiling of the limit that was hit; 0 if there is none of it. */
	LIMIT,

	/** How long to wait; says nothing about when a quota is reset. */
	RETRY_DELAY,

	/** When the limit or quota is reset: in seconds, a duration or a moment. */
	RESET

}
