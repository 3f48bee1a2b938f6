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
	static final ErrorBody NONE = new ErrorBody(Map.of());

	private static final JsonFactory JSON = new JsonFactory();

	private final Map<BodyField, String> fields;

	/** All the texts together, in lower case. */
	private final String text;

	private ErrorBody(Map<BodyField, String> fields) {
		this.fields = fields;
		this.text = Stream.of(BodyField.ERROR_MESSAGE, BodyField.MESSAGE, BodyField.ERROR)
			.map((field) -> fields.getOrDefault(field, ""))
			.collect(Collectors.joining(" "))
			.toLowerCase(Locale.ROOT)
			.strip();
	}

	/** An error that is said in plain text. */
	static ErrorBody ofText(String text) {
		return text.isBlank() ? NONE : new ErrorBody(Map.of(BodyField.MESSAGE, text));
	}

	boolean isNone() {
		return this.fields.isEmpty();
	}

	@Nullable String code() {
		return first(BodyField.ERROR_CODE, BodyField.CODE);
	}

	@Nullable String type() {
		return first(BodyField.ERROR_TYPE, BodyField.KIND);
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
		return (status != null && status.matches("[1-5]\\d\\d")) ? Integer.valueOf(status) : null;
	}

	@Nullable String resetSeconds() {
		return this.fields.get(BodyField.RESET_SECONDS);
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

		private final Map<BodyField, String> fields = new EnumMap<>(BodyField.class);

		/** The first value of a field counts; empty, null and zero ones are none. */
		void put(BodyField field, byte[] value, int length) {
			if (this.fields.containsKey(field)) {
				return;
			}
			String text = decode(value, length);
			boolean isNone = NONES.contains(text) && field != BodyField.RESET_SECONDS;
			if (!isNone) {
				this.fields.put(field, text);
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
			return new ErrorBody(new EnumMap<>(this.fields));
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
