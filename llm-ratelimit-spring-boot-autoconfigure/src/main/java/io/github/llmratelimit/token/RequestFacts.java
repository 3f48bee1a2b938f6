package io.github.llmratelimit.token;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What one scan of a JSON request body finds out. Immutable; keeps a reference to the
 * scanned array, which MUST NOT change, so that the texts can be decoded when asked for.
 */
public final class RequestFacts {

	/** A request whose body is none, is not a JSON object, or was not looked at. */
	public static final RequestFacts UNREADABLE = new RequestFacts(new byte[0], 0, 0);

	/** Larger bodies are not looked at: it would take too long on an event loop. */
	private static final int MAX_LENGTH = 32 * 1024 * 1024;

	private final byte[] body;

	private final int offset;

	private final int length;

	private final boolean readable;

	private final @Nullable String model;

	private final int modelFrom;

	private final int modelTo;

	private final @Nullable Long maxOutputTokens;

	private final boolean stream;

	private final boolean streamOptions;

	private final boolean includesUsage;

	private final int choices;

	private final int messages;

	private final int images;

	private final int imageTiles;

	private final long soundSeconds;

	private final long tokenIds;

	private final TextCounts text;

	private final TextCounts schema;

	private RequestFacts(byte[] body, int offset, int length) {
		RequestScanner scanner = new RequestScanner(body, offset, offset + length, null);
		this.readable = scanner.scan();
		this.body = body;
		this.offset = offset;
		this.length = length;
		this.model = scanner.model;
		this.modelFrom = scanner.modelFrom;
		this.modelTo = scanner.modelTo;
		this.maxOutputTokens = (scanner.maxOutputTokens >= 0) ? scanner.maxOutputTokens : null;
		this.stream = scanner.stream;
		this.streamOptions = scanner.streamOptions;
		this.includesUsage = scanner.includesUsage;
		this.choices = scanner.choices;
		this.messages = scanner.messages;
		this.images = scanner.media.images();
		this.imageTiles = scanner.media.tiles();
		this.soundSeconds = scanner.media.soundSeconds();
		this.tokenIds = scanner.tokenIds;
		this.text = scanner.text.counts();
		this.schema = scanner.schemaCounts();
	}

	/**
	 * Scan a body. Never throws because of what it contains; takes linear time.
	 * @param body the body
	 * @return the facts; not {@linkplain #isReadable() readable} if it is not a JSON
	 * object
	 */
	public static RequestFacts scan(byte[] body) {
		return scan(body, 0, body.length);
	}

	/**
	 * Scan a body that is part of an array.
	 * @param body the array
	 * @param offset index of the first byte
	 * @param length number of bytes
	 * @return the facts
	 * @see #scan(byte[])
	 */
	public static RequestFacts scan(byte[] body, int offset, int length) {
		if (length > MAX_LENGTH) {
			return UNREADABLE;
		}
		RequestFacts facts = new RequestFacts(body, offset, length);
		return facts.readable ? facts : UNREADABLE;
	}

	/**
	 * Whether the body was a JSON object.
	 * @return false if nothing is known of the request
	 */
	public boolean isReadable() {
		return this.readable;
	}

	/**
	 * The model that is asked.
	 * @return its name, {@code null} if there is none
	 */
	public @Nullable String model() {
		return this.model;
	}

	/**
	 * The same body with another model.
	 * @param model name of the other model
	 * @return the bytes of the body, which is otherwise as it was
	 * @throws IllegalStateException if the body names no model
	 */
	public ByteBuffer withModel(String model) {
		if (this.model == null) {
			throw new IllegalStateException("The request names no model that could be replaced");
		}
		byte[] name = JsonText.encode(model);
		int end = this.offset + this.length;
		return ByteBuffer.allocate(this.modelFrom - this.offset + name.length + end - this.modelTo)
			.put(this.body, this.offset, this.modelFrom - this.offset)
			.put(name)
			.put(this.body, this.modelTo, end - this.modelTo)
			.flip();
	}

	/**
	 * The most tokens that each answer may have.
	 * @return the largest of the limits given, {@code null} if there is none
	 */
	public @Nullable Long maxOutputTokens() {
		return this.maxOutputTokens;
	}

	/**
	 * Whether the answer is to be streamed.
	 * @return true if so
	 */
	public boolean stream() {
		return this.stream;
	}

	/**
	 * Whether the request says anything about how the answer is to be streamed.
	 * @return true if it has {@code stream_options}
	 */
	public boolean hasStreamOptions() {
		return this.streamOptions;
	}

	/**
	 * Whether a streamed answer is asked to report its usage.
	 * @return true if so
	 */
	public boolean includesUsage() {
		return this.includesUsage;
	}

	/**
	 * How many answers are wanted.
	 * @return 1 or more
	 */
	public int choices() {
		return this.choices;
	}

	/**
	 * How many messages the conversation has.
	 * @return 0 if it is not given as messages
	 */
	public int messages() {
		return this.messages;
	}

	/**
	 * How many images are shown.
	 * @return 0 or more
	 */
	public int images() {
		return this.images;
	}

	/**
	 * How many tiles of 512 pixels the images have that are to be looked at closely.
	 * @return 0 or more
	 */
	public int imageTiles() {
		return this.imageTiles;
	}

	/**
	 * How long the recorded sound lasts, by the size of its files.
	 * @return seconds, 0 or more
	 */
	public long soundSeconds() {
		return this.soundSeconds;
	}

	/**
	 * How many tokens are given as numbers, as texts to embed can be.
	 * @return 0 or more
	 */
	public long tokenIds() {
		return this.tokenIds;
	}

	/**
	 * The characters of the prompt: messages, system prompt, history, texts to embed.
	 * @return the counts
	 */
	public TextCounts text() {
		return this.text;
	}

	/**
	 * The characters that describe tools and the form of the answer.
	 * @return the counts
	 */
	public TextCounts schema() {
		return this.schema;
	}

	/**
	 * All texts that are counted, decoded. This scans the body again.
	 * @return the texts in the order of the body
	 */
	public List<String> texts() {
		List<String> texts = new ArrayList<>();
		if (this.readable) {
			new RequestScanner(this.body, this.offset, this.offset + this.length, texts).scan();
		}
		return texts;
	}

}
