package io.github.llmratelimit.token;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One pass over a JSON request body, without a tree and without a copy. It checks no more
 * of the syntax than it needs to find its way. Not thread-safe.
 */
final class RequestScanner {

	private static final int MAX_CHOICES = 128;

	private final byte[] body;

	private final int end;

	private final JsonCursor json;

	/** Takes every text that is counted, if anybody wants them. */
	private final @Nullable List<String> texts;

	final TextCounter text = new TextCounter();

	/** Made once it is needed, as few requests describe tools. */
	private @Nullable TextCounter schema;

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

	/** Key of the request whose value is being read. */
	private RequestKey part = RequestKey.TEXT;

	/** Innermost key whose value is being read. */
	private RequestKey key = RequestKey.TEXT;

	RequestScanner(byte[] body, int from, int end, @Nullable List<String> texts) {
		this.body = body;
		this.end = end;
		this.json = new JsonCursor(body, from, end);
		this.texts = texts;
	}

	/**
	 * Scan it all.
	 * @return whether it was a JSON object
	 */
	boolean scan() {
		if (this.json.next() != '{') {
			return false;
		}
		boolean readable = this.json.open(true);
		while (readable && this.json.depth() > 0) {
			readable = step(this.json.next());
		}
		return readable && this.json.next() < 0;
	}

	private boolean step(int next) {
		return switch (next) {
			case '"' -> this.json.keyIsNext() ? key() : string();
			case ',' -> this.json.separate();
			case '{' -> open();
			case '[' -> this.json.open(false);
			case '}' -> close(true);
			case ']' -> close(false);
			default -> scalar(next);
		};
	}

	private boolean open() {
		if (this.json.depth() == 2 && isConversation()) {
			this.messages++;
		}
		return this.json.open(true);
	}

	private boolean isConversation() {
		return this.part == RequestKey.MESSAGES || this.part == RequestKey.INPUT;
	}

	private boolean close(boolean object) {
		boolean closed = this.json.close(object);
		this.key = (this.json.depth() == 1) ? this.part : RequestKey.TEXT;
		return closed;
	}

	private boolean key() {
		int from = this.json.at() + 1;
		boolean shown = this.part == RequestKey.SCHEMA && this.json.depth() > 1;
		int to = pass(from, shown ? schema() : null);
		if (!this.json.assign()) {
			return false;
		}
		if (this.json.depth() == 1) {
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
		int from = this.json.at() + 1;
		TextCounter counter = counter(from);
		int to = pass(from, counter);
		if (this.json.depth() == 1 && this.key == RequestKey.MODEL) {
			this.model = JsonText.decode(this.body, from, to);
			this.modelFrom = from;
			this.modelTo = to;
		}
		if (counter == null) {
			media(from, to);
		}
		return to < this.end;
	}

	/**
	 * Goes behind a string, and has it counted if it is to be.
	 * @return where it ends
	 */
	private int pass(int from, @Nullable TextCounter counter) {
		int to = (counter != null) ? counter.count(this.body, from, this.end)
				: TextCounter.skip(this.body, from, this.end);
		this.json.moveTo(to + 1);
		if (counter != null && this.texts != null) {
			this.texts.add(JsonText.decode(this.body, from, to));
		}
		return to;
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
			case SCHEMA -> schema();
			case TEXT, MESSAGES, INPUT -> isShown(from) ? this.text : null;
			default -> null;
		};
	}

	private TextCounter schema() {
		TextCounter schema = (this.schema != null) ? this.schema : new TextCounter();
		this.schema = schema;
		return schema;
	}

	TextCounts schemaCounts() {
		return (this.schema != null) ? this.schema.counts() : TextCounts.NONE;
	}

	private boolean isShown(int from) {
		return switch (this.key) {
			case KIND, LABEL, DETAIL, MEDIA -> false;
			case DATA -> !Media.isEncoded(this.body, from, this.end);
			default -> !Media.isDataUrl(this.body, from, this.end);
		};
	}

	private boolean scalar(int first) {
		int from = this.json.at();
		if (!this.json.scalar()) {
			return false;
		}
		switch (this.key) {
			case MAX_OUTPUT -> limitOutput(from);
			case NESTED_MAX_OUTPUT -> {
				if (isSetting()) {
					limitOutput(from);
				}
			}
			case CHOICES -> this.choices = (int) Math.max(1, Math.min(this.json.number(from), MAX_CHOICES));
			case STREAM -> this.stream = first == 't';
			case INCLUDE_USAGE -> this.includesUsage = first == 't' && this.part == RequestKey.STREAM_OPTIONS;
			case INPUT, TEXT -> this.tokenIds += (this.part == RequestKey.INPUT && first <= '9') ? 1 : 0;
			default -> {
			}
		}
		return true;
	}

	private void limitOutput(int from) {
		this.maxOutputTokens = Math.max(this.maxOutputTokens, this.json.number(from));
	}

	/**
	 * Whether this is directly in an object of the request that is no message or tool.
	 */
	private boolean isSetting() {
		return this.part == RequestKey.TEXT && this.json.depth() == 2 && this.json.inObject();
	}

}
