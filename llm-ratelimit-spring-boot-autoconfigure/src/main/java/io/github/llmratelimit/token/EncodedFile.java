package io.github.llmratelimit.token;

import java.util.Arrays;

/**
 * What the beginning of a Base64 file tells of it. It is decoded as far as it is looked
 * at. Not thread-safe.
 */
final class EncodedFile {

	private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	/** What each character of both alphabets stands for, -1 for all others. */
	private static final byte[] SEXTETS = sextets();

	/** Where the size of a picture stands, unless it begins with another one. */
	private static final int HEAD = 8 * 1024;

	/** Where the size of most pictures stands. */
	private static final int START = 64;

	private static final int WIDEST = 2048;

	private static final int NARROWEST = 768;

	private static final int TILE = 512;

	private final byte[] body;

	private final int end;

	/** The next character to decode. */
	private int next;

	private byte[] head = new byte[START];

	/** So many bytes have been decoded. */
	private int length;

	private int sextets;

	private int bits;

	EncodedFile(byte[] body, int from, int to) {
		this.body = body;
		this.next = from;
		this.end = to;
	}

	/** Whether there are so many bytes, decoding them if they have not been yet. */
	private boolean has(int bytes) {
		if (bytes > this.head.length && bytes <= HEAD) {
			this.head = Arrays.copyOf(this.head, HEAD);
		}
		while (this.length < bytes && this.length < this.head.length && this.next < this.end) {
			decode(SEXTETS[this.body[this.next++] & 0xff]);
		}
		return this.length >= bytes;
	}

	private void decode(int sextet) {
		if (sextet >= 0) {
			this.bits = this.bits << 6 | sextet;
			int place = this.sextets++ % 4;
			if (place != 0) {
				this.head[this.length++] = (byte) (this.bits >>> 6 - 2 * place);
			}
		}
	}

	private static byte[] sextets() {
		byte[] sextets = new byte[0x100];
		Arrays.fill(sextets, (byte) -1);
		for (int i = 0; i < ALPHABET.length(); i++) {
			sextets[ALPHABET.charAt(i)] = (byte) i;
		}
		sextets['+'] = 62;
		sextets['-'] = 62;
		sextets['/'] = 63;
		sextets['_'] = 63;
		return sextets;
	}

	/** Whether this is sound in a container that does not compress it. */
	boolean isWave() {
		return isAt(0, "RIFF") && isAt(8, "WAVE");
	}

	boolean isCompressedSound() {
		return isAt(0, "ID3") || isAt(0, "OggS") || isAt(0, "fLaC") || byteAt(0) == 0xff && byteAt(1) >= 0xe0;
	}

	/**
	 * The tiles of 512 pixels that a picture is cut into, once it is no larger than 2048
	 * pixels and its shorter side no longer than 768.
	 * @return tiles; 0 if this is no picture or its size is not found
	 */
	int tiles() {
		if (isAt(1, "PNG")) {
			return tiles(intAt(16), intAt(20));
		}
		if (isAt(0, "GIF8")) {
			return tiles(littleShortAt(6), littleShortAt(8));
		}
		if (isAt(8, "WEBPVP8X")) {
			return tiles(1 + littleShortAt(24), 1 + littleShortAt(27));
		}
		if (isAt(8, "WEBPVP8 ")) {
			return tiles(littleShortAt(26) & 0x3fff, littleShortAt(28) & 0x3fff);
		}
		return isJpeg() ? tilesOfJpeg() : 0;
	}

	boolean isJpeg() {
		return byteAt(0) == 0xff && byteAt(1) == 0xd8;
	}

	/** Goes from segment to segment up to the one that begins the picture. */
	private int tilesOfJpeg() {
		int at = 2;
		while (byteAt(at) == 0xff) {
			int marker = byteAt(at + 1);
			if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc) {
				return tiles(shortAt(at + 7), shortAt(at + 5));
			}
			at += 2 + Math.max(2, shortAt(at + 2));
		}
		return 0;
	}

	private static int tiles(int width, int height) {
		if (width <= 0 || height <= 0) {
			return 0;
		}
		double fit = Math.min(1, (double) WIDEST / Math.max(width, height));
		double scale = Math.min(fit, (double) NARROWEST / Math.min(width, height));
		return tiles(width * scale) * tiles(height * scale);
	}

	private static int tiles(double length) {
		return (int) Math.ceil(length / TILE);
	}

	private boolean isAt(int at, String word) {
		for (int i = 0; i < word.length(); i++) {
			if (byteAt(at + i) != word.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/** The byte at an index, -1 behind the end. */
	private int byteAt(int at) {
		return has(at + 1) ? this.head[at] & 0xff : -1;
	}

	private int shortAt(int at) {
		return has(at + Short.BYTES) ? byteAt(at) << 8 | byteAt(at + 1) : 0;
	}

	private int littleShortAt(int at) {
		return Short.reverseBytes((short) shortAt(at)) & 0xffff;
	}

	private int intAt(int at) {
		return has(at + Integer.BYTES) ? shortAt(at) << 16 | shortAt(at + 2) : 0;
	}

}
