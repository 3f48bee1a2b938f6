package io.github.llmratelimit.provider;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads structured header fields (RFC 9651) that are lists or dictionaries of items with
 * parameters. Not thread-safe; linear time.
 */
final class StructuredField {

	private static final int MAX_LENGTH = 1024;

	private final String text;

	private int at;

	private StructuredField(String text) {
		this.text = text;
	}

	/** The members of a field, none if it is absent, overlong or malformed. */
	static List<Member> members(@Nullable String field) {
		List<Member> members = (field != null && field.length() <= MAX_LENGTH) ? new StructuredField(field).read()
				: null;
		return (members != null) ? members : List.of();
	}

	/** The number that an item is, {@code null} if it is none. */
	static @Nullable Long number(@Nullable String item) {
		Decimal number = Decimal.of(item);
		return (number != null && item != null && item.indexOf('.') < 0) ? number.whole() : null;
	}

	private @Nullable List<Member> read() {
		List<Member> members = new ArrayList<>();
		do {
			Member member = member();
			if (member == null) {
				return null;
			}
			members.add(member);
		}
		while (skip(','));
		return (this.at == this.text.length()) ? members : null;
	}

	private @Nullable Member member() {
		skipBlanks();
		String key = word();
		String item = quoted();
		if (!key.isEmpty()) {
			item = skip('=') ? item() : key;
		}
		Map<String, String> parameters = parameters();
		skipBlanks();
		return (item.isEmpty() || parameters == null) ? null
				: new Member(key.equals(item) ? "" : key.toLowerCase(Locale.ROOT), item, parameters);
	}

	private @Nullable Map<String, String> parameters() {
		Map<String, String> parameters = new HashMap<>();
		while (skip(';')) {
			skipBlanks();
			String key = word();
			String value = skip('=') ? item() : "?1";
			if (key.isEmpty() || value.isEmpty()) {
				return null;
			}
			parameters.put(key.toLowerCase(Locale.ROOT), value);
		}
		return parameters;
	}

	private String item() {
		String word = word();
		return word.isEmpty() ? quoted() : word;
	}

	/** A string or bytes with what encloses them, empty if none is here. */
	private String quoted() {
		int from = this.at;
		char enclosing = (from < this.text.length()) ? this.text.charAt(from) : ' ';
		if (enclosing != '"' && enclosing != ':') {
			return "";
		}
		for (int i = from + 1; i < this.text.length(); i++) {
			char character = this.text.charAt(i);
			if (character == enclosing) {
				this.at = i + 1;
				return this.text.substring(from, this.at);
			}
			i += (character == '\\') ? 1 : 0;
		}
		return "";
	}

	/** A number, a token, a boolean or a key, empty if none is here. */
	private String word() {
		int from = this.at;
		while (this.at < this.text.length() && isPartOfWord(this.text.charAt(this.at))) {
			this.at++;
		}
		return this.text.substring(from, this.at);
	}

	private static boolean isPartOfWord(char character) {
		return character < 0x7f && (Character.isLetterOrDigit(character) || "_-.*/%?!+".indexOf(character) >= 0);
	}

	private boolean skip(char character) {
		boolean is = this.at < this.text.length() && this.text.charAt(this.at) == character;
		this.at += is ? 1 : 0;
		return is;
	}

	private void skipBlanks() {
		while (skip(' ') || skip('\t')) {
			// Only moves on
		}
	}

	/**
	 * A member of a list or dictionary.
	 *
	 * @param key its key, empty in a list
	 * @param item its item; strings with their quotes
	 * @param parameters what is said of it
	 */
	record Member(String key, String item, Map<String, String> parameters) {

		boolean isNamed() {
			return this.item.length() > 2 && this.item.startsWith("\"");
		}

		@Nullable Long number(String parameter) {
			return StructuredField.number(this.parameters.get(parameter));
		}

		/** Whether none of these parameters is there without being a number. */
		boolean isNumeric(String... parameters) {
			for (String parameter : parameters) {
				if (this.parameters.containsKey(parameter) && number(parameter) == null) {
					return false;
				}
			}
			return true;
		}

	}

}
