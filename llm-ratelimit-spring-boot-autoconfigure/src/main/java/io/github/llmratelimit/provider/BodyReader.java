package io.github.llmratelimit.provider;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;

/**
 * Reads usage and errors from one response body, which may be JSON, a stream of JSON
 * documents or server-sent events. Not thread-safe; bounded memory.
 */
final class BodyReader implements UsageReader, JsonScanner.Sink {

	private static final List<byte[]> ERROR_EVENTS = List.of(ascii("error"), ascii("response.failed"));

	private static final int PIECE = 1024;

	private final DialectTable dialect;

	private final ResponseHead head;

	private final JsonScanner json;

	private final EventStreamScanner events;

	private @Nullable MessageStreamScanner messages;

	/** Reads documents inside values of other documents. */
	private @Nullable JsonScanner embedded;

	/**
	 * Chunks outside the heap are copied piece by piece: an array is read much faster.
	 */
	private byte @Nullable [] piece;

	private Form form = Form.UNKNOWN;

	private final UsageTotals totals = new UsageTotals();

	/** Parts of an error in the document being read. */
	private ErrorBody.@Nullable Builder parts;

	private boolean isErrorEvent;

	/** The first error. */
	private @Nullable ErrorBody error;

	private @Nullable ThrottleSignal refusal;

	BodyReader(DialectTable dialect, ResponseHead head) {
		this.dialect = dialect;
		this.head = head;
		this.json = new JsonScanner(dialect.paths(), this);
		this.events = new EventStreamScanner(this.json, this);
	}

	@Override
	public void read(ByteBuffer chunk) {
		if (this.form == Form.OTHER) {
			return;
		}
		if (chunk.hasArray()) {
			read(chunk.array(), chunk.arrayOffset() + chunk.position(), chunk.arrayOffset() + chunk.limit());
			return;
		}
		byte[] piece = (this.piece != null) ? this.piece : new byte[PIECE];
		this.piece = piece;
		for (int at = chunk.position(); at < chunk.limit(); at += PIECE) {
			int length = Math.min(chunk.limit() - at, PIECE);
			chunk.get(at, piece, 0, length);
			read(piece, 0, length);
		}
	}

	private void read(byte[] bytes, int begin, int end) {
		int from = begin;
		if (this.form == Form.UNKNOWN) {
			from = skipBlanks(bytes, begin, end);
			this.form = (from < end) ? Form.beginningWith(bytes[from]) : Form.UNKNOWN;
		}
		switch (this.form) {
			case JSON -> this.json.read(bytes, from, end);
			case EVENTS -> this.events.read(bytes, from, end);
			case MESSAGES -> readMessages(bytes, from, end);
			case OTHER, UNKNOWN -> {
			}
		}
	}

	private void readMessages(byte[] bytes, int from, int to) {
		MessageStreamScanner scanner = (this.messages != null) ? this.messages
				: new MessageStreamScanner(this.json, this);
		this.messages = scanner;
		scanner.read(bytes, from, to);
	}

	@Override
	public @Nullable TokenUsage usage() {
		return this.totals.usage(this.dialect.outputWeight(), textTokens());
	}

	@Override
	public long outputSeen() {
		return this.dialect.outputWeight() * textTokens();
	}

	private long textTokens() {
		return this.json.outputTokens() + ((this.embedded != null) ? this.embedded.outputTokens() : 0);
	}

	@Override
	public @Nullable ThrottleSignal refusal() {
		if (this.refusal == null && this.error != null && this.head.isSuccessful()) {
			this.refusal = this.dialect.signal(this.head, this.error);
		}
		return this.refusal;
	}

	/**
	 * The error, as far as it can be read from what may be only the beginning of a body.
	 */
	ErrorBody errorOf(byte[] body) {
		read(ByteBuffer.wrap(body));
		this.json.flush();
		this.json.reset();
		if (this.error != null) {
			return this.error;
		}
		return (this.form == Form.JSON || this.head.isSuccessful()) ? ErrorBody.NONE : ErrorBody
			.ofText(new String(body, 0, Math.min(body.length, JsonScanner.MAX_VALUE), StandardCharsets.UTF_8));
	}

	@Override
	public void value(BodyField field, byte[] value, int length) {
		switch (field) {
			case OUTPUT_TEXT -> {
			}
			case EVENT -> this.isErrorEvent = isErrorEvent(value, length);
			case KIND -> kind(value, length);
			case EMBEDDED -> readEmbedded(value, length);
			default -> {
				if (!this.totals.put(field, value, length)) {
					part(field, value, length);
				}
			}
		}
	}

	private void readEmbedded(byte[] value, int length) {
		JsonScanner scanner = (this.embedded != null) ? this.embedded : new JsonScanner(this.dialect.paths(), this);
		this.embedded = scanner;
		try {
			byte[] document = Base64.getDecoder().decode(Arrays.copyOf(value, length & ~3));
			scanner.read(document, 0, document.length);
			scanner.reset();
		}
		catch (IllegalArgumentException ex) {
			// not what it should be, so that there is nothing to read
		}
	}

	/** Most events are no errors: their type is compared, not decoded. */
	private void kind(byte[] value, int length) {
		this.isErrorEvent |= isErrorEvent(value, length);
		if (this.isErrorEvent || !this.head.isSuccessful()) {
			part(BodyField.KIND, value, length);
		}
	}

	private static boolean isErrorEvent(byte[] value, int length) {
		for (byte[] event : ERROR_EVENTS) {
			if (event.length == length && Arrays.equals(event, 0, length, value, 0, length)) {
				return true;
			}
		}
		return false;
	}

	private void part(BodyField field, byte[] value, int length) {
		if (this.error != null) {
			return;
		}
		if (this.parts == null) {
			this.parts = new ErrorBody.Builder();
		}
		this.parts.put(field, value, length);
	}

	@Override
	public void end() {
		if (this.error == null && this.parts != null
				&& (this.isErrorEvent || this.parts.isError() || !this.head.isSuccessful())) {
			this.error = this.parts.build();
		}
		this.parts = null;
		this.isErrorEvent = false;
	}

	private static int skipBlanks(byte[] bytes, int from, int to) {
		int at = from;
		while (at < to && isBlank(bytes[at])) {
			at++;
		}
		return at;
	}

	/** Blanks, line breaks, and the bytes of a byte order mark. */
	private static boolean isBlank(byte read) {
		return read > 0 && read <= ' ' || read == (byte) 0xef || read == (byte) 0xbb || read == (byte) 0xbf;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/** What a body is, by its first character; content types are often wrong. */
	private enum Form {

		UNKNOWN, JSON, EVENTS, MESSAGES, OTHER;

		static Form beginningWith(byte first) {
			return switch (first) {
				case '{', '[' -> JSON;
				case 'd', 'e', 'i', 'r', ':' -> EVENTS;
				case 0 -> MESSAGES;
				default -> OTHER;
			};
		}

	}

}
