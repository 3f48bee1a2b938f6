package io.github.llmratelimit.token;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One pass over a JSON request body, without a tree and without a copy. It checks no more
 * of the syntax than it needs to find its way. Not thread-safe.
 */
final class RequestScanner {

	/** As many levels as there are bits to say which of them are objects. */
	private static final int MAX_DEPTH = Long.SIZE;

	private static final int MAX_CHOICES = 128;

	private final byte[] body;

	private final int end;

	/** Takes every text that is counted, if anybody wants them. */
	private final @Nullable List<String> texts;

	final TextCounter text = new TextCounter();

	final TextCounter schema = new TextCounter();

	@Nullable String model;

	/** Where the model stands between its quotes. */
	int modelFrom;

	int modelTo;

	long maxOutputTokens = -1;

	boolean stream;

	boolean streamOptions;

	boolean includesUsage;

	int choices = 1;

	int messages;

	final MediaCounter media = new MediaCounter();

	long tokenIds;

	private int at;

	private int depth;

	/** Bit n is set if level n is an object. */
	private long objects;

	private boolean keyIsNext;

	/** Key of the request whose value is being read. */
	private RequestKey part = RequestKey.TEXT;

	/** Innermost key whose value is being read. */
	private RequestKey key = RequestKey.TEXT;

	RequestScanner(byte[] body, int from, int end, @Nullable List<String> texts) {
		this.body = body;
		this.at = from;
		this.end = end;
		this.texts = texts;
	}

	/**
	 * Scan it all.
	 * @return whether it was a JSON object
	 */
	boolean scan() {
		if (next() != '{') {
			return false;
		}
		boolean readable = open(true);
		while (readable && this.depth > 0) {
			readable = step(next());
		}
		return readable && next() < 0;
	}

	/** The next byte that is not blank, -1 at the end. */
	private int next() {
		while (this.at < this.end) {
			byte next = this.body[this.at];
			if (next > ' ' || next < 0) {
				return next & 0xff;
			}
			this.at++;
		}
		return -1;
	}

	private boolean step(int next) {
		return switch (next) {
			case '"' -> this.keyIsNext ? key() : string();
			case ',' -> separate();
			case '{' -> open(true);
			case '[' -> open(false);
			case '}' -> close(true);
			case ']' -> close(false);
			default -> scalar(next);
		};
	}

	private boolean open(boolean object) {
		if (this.depth == MAX_DEPTH) {
			return false;
		}
		if (object && this.depth == 2 && isConversation()) {
			this.messages++;
		}
		long bit = 1L << this.depth++;
		this.objects = object ? this.objects | bit : this.objects & ~bit;
		this.keyIsNext = object;
		this.at++;
		return true;
	}

	private boolean close(boolean object) {
		if (inObject() != object) {
			return false;
		}
		this.depth--;
		this.key = (this.depth == 1) ? this.part : RequestKey.TEXT;
		this.keyIsNext = false;
		this.at++;
		return true;
	}

	private boolean separate() {
		this.keyIsNext = inObject();
		this.at++;
		return true;
	}

	private boolean inObject() {
		return (this.objects >>> (this.depth - 1) & 1) != 0;
	}

	private boolean isConversation() {
		return this.part == RequestKey.MESSAGES || this.part == RequestKey.INPUT;
	}

	private boolean key() {
		int from = this.at + 1;
		boolean shown = this.part == RequestKey.SCHEMA && this.depth > 1;
		int to = shown ? this.schema.count(this.body, from, this.end) : TextCounter.skip(this.body, from, this.end);
		this.at = to + 1;
		if (shown && this.texts != null) {
			this.texts.add(JsonText.decode(this.body, from, to));
		}
		if (next() != ':') {
			return false;
		}
		this.at++;
		this.keyIsNext = false;
		if (this.depth == 1) {
			this.part = RequestKey.ofRequest(this.body, from, to);
			this.streamOptions |= this.part == RequestKey.STREAM_OPTIONS;
			this.key = this.part;
		}
		else if (!shown) {
			this.key = RequestKey.ofPart(this.body, from, to);
		}
		return true;
	}

	private boolean string() {
		int from = this.at + 1;
		TextCounter counter = counter(from);
		int to = (counter != null) ? counter.count(this.body, from, this.end)
				: TextCounter.skip(this.body, from, this.end);
		this.at = to + 1;
		if (to == this.end) {
			return false;
		}
		if (counter != null && this.texts != null) {
			this.texts.add(JsonText.decode(this.body, from, to));
		}
		if (this.depth == 1 && this.key == RequestKey.MODEL) {
			this.model = JsonText.decode(this.body, from, to);
			this.modelFrom = from;
			this.modelTo = to;
		}
		if (counter == null) {
			media(from, to);
		}
		return true;
	}

	private void media(int from, int to) {
		switch (this.key) {
			case KIND -> {
				if (Media.isImage(this.body, from, to)) {
					this.media.image();
				}
			}
			case DETAIL -> {
				if (Media.isLow(this.body, from, to)) {
					this.media.lowDetail();
				}
			}
			case DATA -> this.media.file(this.body, from, to);
			default -> {
				int file = Media.fileInUrl(this.body, from, to);
				if (file >= 0) {
					this.media.file(this.body, file, to);
				}
			}
		}
	}

	/** Who counts the string that begins here, nobody if the model is not shown it. */
	private @Nullable TextCounter counter(int from) {
		return switch (this.part) {
			case SCHEMA -> this.schema;
			case TEXT, MESSAGES, INPUT -> isShown(from) ? this.text : null;
			default -> null;
		};
	}

	private boolean isShown(int from) {
		return switch (this.key) {
			case KIND, LABEL, DETAIL, MEDIA -> false;
			case DATA -> !Media.isEncoded(this.body, from, this.end);
			default -> !Media.isDataUrl(this.body, from, this.end);
		};
	}

	private boolean scalar(int first) {
		int from = this.at;
		while (this.at < this.end && isScalar(this.body[this.at])) {
			this.at++;
		}
		if (this.at == from) {
			return false;
		}
		switch (this.key) {
			case MAX_OUTPUT -> this.maxOutputTokens = Math.max(this.maxOutputTokens, number(from));
			case NESTED_MAX_OUTPUT -> this.maxOutputTokens = isSetting() ? Math.max(this.maxOutputTokens, number(from))
					: this.maxOutputTokens;
			case CHOICES -> this.choices = (int) Math.max(1, Math.min(number(from), MAX_CHOICES));
			case STREAM -> this.stream = first == 't';
			case INCLUDE_USAGE -> this.includesUsage = first == 't' && this.part == RequestKey.STREAM_OPTIONS;
			case INPUT, TEXT -> this.tokenIds += (this.part == RequestKey.INPUT && first <= '9') ? 1 : 0;
			default -> {
			}
		}
		return true;
	}

	/**
	 * Whether this is directly in an object of the request that is no message or tool.
	 */
	private boolean isSetting() {
		return this.part == RequestKey.TEXT && this.depth == 2 && inObject();
	}

	private static boolean isScalar(byte character) {
		return character >= '0' && character <= '9' || character >= 'a' && character <= 'z' || character == '-'
				|| character == '+' || character == '.' || character == 'E';
	}

	/** The whole number from here up to the end of the scalar, -1 if there is none. */
	private long number(int from) {
		long number = 0;
		for (int i = from; i < this.at; i++) {
			int digit = this.body[i] - '0';
			if (digit < 0 || digit > 9 || number > Integer.MAX_VALUE) {
				return -1;
			}
			number = 10 * number + digit;
		}
		return number;
	}

}
