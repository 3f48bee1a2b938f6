package io.github.llmratelimit.token;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Recognizes images and encoded files in the strings of a request, by how they begin.
 */
final class Media {

	private static final List<byte[]> IMAGES = List.of(ascii("image_url"), ascii("input_image"), ascii("image"));

	private static final byte[] LOW = ascii("low");

	private static final byte[] DATA = ascii("data:");

	private static final byte[] ENCODED = ascii(";base64,");

	/** Within so many bytes a data URL says that it is one. */
	private static final int URL_HEAD = 100;

	private static final int SAMPLE = 64;

	private Media() {
	}

	/** Whether the type of a part is that of an image. */
	static boolean isImage(byte[] body, int from, int to) {
		for (byte[] image : IMAGES) {
			if (Arrays.equals(image, 0, image.length, body, from, to)) {
				return true;
			}
		}
		return false;
	}

	/** Whether nothing but Base64 stands at the beginning. */
	static boolean isEncoded(byte[] body, int from, int end) {
		int to = Math.min(from + SAMPLE, end);
		for (int i = from; i < to; i++) {
			if (body[i] == '"') {
				return true;
			}
			if (!Character.isLetterOrDigit(body[i]) && "+/=-_\\".indexOf(body[i]) < 0) {
				return false;
			}
		}
		return true;
	}

	/** Whether a string is a URL that contains its file. */
	static boolean isDataUrl(byte[] body, int from, int end) {
		return fileInUrl(body, from, end) >= 0;
	}

	/** Where the file begins that a URL contains, -1 if it contains none. */
	static int fileInUrl(byte[] body, int from, int end) {
		if (!begins(DATA, body, from, end)) {
			return -1;
		}
		int to = Math.min(from + URL_HEAD, end);
		for (int i = from + DATA.length; i < to && body[i] > ' ' && body[i] != '"'; i++) {
			if (begins(ENCODED, body, i, end)) {
				return i + ENCODED.length;
			}
		}
		return -1;
	}

	static boolean isLow(byte[] body, int from, int to) {
		return Arrays.equals(LOW, 0, LOW.length, body, from, to);
	}

	private static boolean begins(byte[] word, byte[] body, int from, int end) {
		return from + word.length <= end && Arrays.equals(word, 0, word.length, body, from, from + word.length);
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
