package io.github.llmratelimit.provider;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The parts of a response body that explain an error. Immutable.
 */
final class ErrorBody {

	/** A body that explains nothing. */
	static final ErrorBody NONE = new ErrorBody(Map.of(), null);

	private static final JsonFactory JSON = new JsonFactory();

	private final Map<BodyField, String> fields;

	/** What is quoted in this error's text, as when a gateway passes on a refusal. */
	private final @Nullable ErrorBody cause;

	/** All the texts together, in lower case. */
	private final String text;

	private ErrorBody(Map<BodyField, String> fields, @Nullable ErrorBody cause) {
		this.fields = fields;
		this.cause = cause;
		this.text = textOf(fields);
	}

	private static String textOf(Map<BodyField, String> fields) {
		String text = Stream.of(BodyField.DETAIL, BodyField.ERROR_MESSAGE, BodyField.MESSAGE, BodyField.ERROR)
			.map((field) -> fields.getOrDefault(field, ""))
			.collect(Collectors.joining(" "));
		String limit = fields.get(BodyField.LIMIT);
		return ((limit != null) ? text + " limit: " + limit : text).toLowerCase(Locale.ROOT).strip();
	}

	/** An error that is said in plain text. */
	static ErrorBody ofText(String text) {
		return text.isBlank() ? NONE : new ErrorBody(Map.of(BodyField.MESSAGE, text), null);
	}

	boolean isNone() {
		return this.fields.isEmpty();
	}

	/** The same error, with the one that its text quotes. */
	ErrorBody causedBy(ErrorBody cause) {
		return cause.isNone() ? this : new ErrorBody(this.fields, cause);
	}

	/** The JSON that the text quotes, {@code null} if it quotes none. */
	@Nullable String quotedJson() {
		String message = message();
		int at = (message != null) ? message.indexOf('{') : -1;
		return (message != null && at >= 0 && message.indexOf('"', at) > 0) ? message.substring(at) : null;
	}

	/** Codes and types, in order of trust. */
	Stream<String> codes() {
		Stream<String> own = Stream
			.of(first(BodyField.ERROR_CODE, BodyField.CODE), first(BodyField.ERROR_TYPE, BodyField.KIND))
			.flatMap(Stream::ofNullable);
		return (this.cause != null) ? Stream.concat(own, this.cause.codes()) : own;
	}

	/** The most telling text, as it was written. */
	@Nullable String message() {
		String message = first(BodyField.ERROR_MESSAGE, BodyField.MESSAGE);
		return (message != null) ? message : first(BodyField.ERROR, BodyField.ERROR_CODE);
	}

	/** All texts together in lower case, empty if there are none. */
	String text() {
		return this.text;
	}

	/** The status the response should have had, {@code null} if the body has none. */
	@Nullable Integer status() {
		String status = first(BodyField.STATUS, BodyField.ERROR_CODE);
		if (status != null && status.matches("[1-5]\\d\\d")) {
			return Integer.valueOf(status);
		}
		return (this.cause != null) ? this.cause.status() : null;
	}

	/** How long to wait. */
	@Nullable String retryDelay() {
		return find(BodyField.RETRY_DELAY);
	}

	/** When a limit or quota is reset. */
	@Nullable String reset() {
		return find(BodyField.RESET);
	}

	private @Nullable String find(BodyField field) {
		String value = this.fields.get(field);
		return (value == null && this.cause != null) ? this.cause.find(field) : value;
	}

	private @Nullable String first(BodyField one, BodyField other) {
		String value = this.fields.get(one);
		return (value != null) ? value : this.fields.get(other);
	}

	/**
	 * Collects the parts of one error.
	 */
	static final class Builder {

		private static final Set<String> NONES = Set.of("", "null", "false", "0");

		/** Fields of which 0 is a value. */
		private static final Set<BodyField> NUMBERS = Set.of(BodyField.LIMIT, BodyField.RESET, BodyField.RETRY_DELAY);

		private final Map<BodyField, String> fields = new EnumMap<>(BodyField.class);

		/**
		 * The first value of a field counts, except that details add up; empty, null and
		 * zero ones are none.
		 */
		void put(BodyField field, byte[] value, int length) {
			String known = this.fields.getOrDefault(field, "");
			if (!known.isEmpty() && (field != BodyField.DETAIL || known.length() > JsonScanner.MAX_VALUE)) {
				return;
			}
			String text = decode(value, length);
			if (!NONES.contains(text) || NUMBERS.contains(field)) {
				this.fields.put(field, known.isEmpty() ? text : known + " " + text);
			}
		}

		/**
		 * Whether there is an error, and not only fields that other documents have too.
		 */
		boolean isError() {
			return Stream.of(BodyField.ERROR, BodyField.ERROR_CODE, BodyField.ERROR_TYPE, BodyField.ERROR_MESSAGE)
				.anyMatch(this.fields::containsKey);
		}

		ErrorBody build() {
			return new ErrorBody(new EnumMap<>(this.fields), null);
		}

		private static String decode(byte[] value, int length) {
			byte[] quoted = new byte[length + 2];
			System.arraycopy(value, 0, quoted, 1, length);
			quoted[0] = '"';
			quoted[length + 1] = '"';
			try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), quoted)) {
				parser.nextToken();
				return parser.getString();
			}
			catch (JacksonException ex) {
				return new String(value, 0, length, StandardCharsets.UTF_8);
			}
		}

	}

}
