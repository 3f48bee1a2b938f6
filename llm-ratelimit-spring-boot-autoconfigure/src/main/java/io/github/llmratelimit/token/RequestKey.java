package io.github.llmratelimit.token;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the value of a key in a request body is. A value whose key is not in the table is
 * taken for prompt text, so that nothing is left out of the estimate by accident.
 */
enum RequestKey {

	MODEL(0, "model"), MAX_OUTPUT(0, "max_tokens", "max_completion_tokens", "max_output_tokens", "max_gen_len"),
	STREAM(0, "stream"), STREAM_OPTIONS(0, "stream_options"), CHOICES(0, "n"), MESSAGES(0, "messages"),
	INPUT(0, "input", "prompt"),

	/** Descriptions of functions and of the answer, which the model is shown. */
	SCHEMA(0, "tools", "functions", "response_format", "text"),

	/** Not shown to the model. */
	SETTING(0, "user", "metadata", "tool_choice", "function_call", "stop", "service_tier", "prompt_cache_key",
			"safety_identifier", "previous_response_id", "encoding_format", "reasoning", "reasoning_effort",
			"verbosity", "modalities", "include", "truncation", "audio"),

	INCLUDE_USAGE(1, "include_usage"), KIND(1, "type"),

	/** The most that may be answered, in an object of settings. */
	NESTED_MAX_OUTPUT(1, "maxTokens", "maxOutputTokens", "max_tokens", "max_output_tokens", "maxTokenCount",
			"num_predict"),
	LABEL(1, "role", "id", "tool_call_id", "call_id", "status", "format", "media_type", "file_id", "filename"),

	/** A link or an encoded file. */
	MEDIA(1, "url", "image_url", "file_url", "file_data"),

	/** Text or an encoded file. */
	DATA(1, "data", "bytes", "images"),

	/** How closely an image is looked at. */
	DETAIL(1, "detail"),

	TEXT(1);

	private static final int MAX_LENGTH = 24;

	/** Keys of the request itself, and those of the objects in it, by their length. */
	private static final Named[][][] TABLE = { table(0), table(1) };

	private final int level;

	private final String[] names;

	RequestKey(int level, String... names) {
		this.level = level;
		this.names = names;
	}

	/** The meaning of a key of the request itself. */
	static RequestKey ofRequest(byte[] body, int from, int to) {
		return find(TABLE[0], body, from, to);
	}

	/** The meaning of a key of an object somewhere in the request. */
	static RequestKey ofPart(byte[] body, int from, int to) {
		return find(TABLE[1], body, from, to);
	}

	private static RequestKey find(Named[][] table, byte[] body, int from, int to) {
		if (to - from <= MAX_LENGTH) {
			for (Named named : table[to - from]) {
				if (Arrays.equals(named.name, 0, named.name.length, body, from, to)) {
					return named.key;
				}
			}
		}
		return TEXT;
	}

	private static Named[][] table(int level) {
		Named[][] table = new Named[MAX_LENGTH + 1][0];
		for (RequestKey key : values()) {
			for (String name : (key.level == level) ? key.names : new String[0]) {
				Named[] row = Arrays.copyOf(table[name.length()], table[name.length()].length + 1);
				row[row.length - 1] = new Named(name.getBytes(StandardCharsets.US_ASCII), key);
				table[name.length()] = row;
			}
		}
		return table;
	}

	private record Named(byte[] name, RequestKey key) {

	}

}
