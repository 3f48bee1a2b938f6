package io.github.llmratelimit.token;

/**
 * Counts the pictures and the sound of a request. A picture that is only a link, or whose
 * size is not found, is taken for one of about a megapixel. Not thread-safe.
 */
final class MediaCounter {

	private static final int TILES_IF_UNKNOWN = 6;

	/** Two bytes a sample, 24,000 samples a second. */
	private static final double WAVE_BYTES_PER_SECOND = 48_000;

	/** 128 kbit/s. */
	private static final double COMPRESSED_BYTES_PER_SECOND = 16_000;

	private static final double BYTES_PER_CHARACTER = 0.75;

	private int images;

	private int measured;

	private int tiles;

	private int small;

	private double soundSeconds;

	/** A part of the request says that it is an image. */
	void image() {
		this.images++;
	}

	/** A part says that its image is to be looked at from afar. */
	void lowDetail() {
		this.small++;
	}

	/** A file in Base64. */
	void file(byte[] body, int from, int to) {
		EncodedFile file = new EncodedFile(body, from, to);
		int tiles = file.tiles();
		if (tiles > 0) {
			this.measured++;
			this.tiles += tiles;
		}
		else if (file.isWave() || file.isCompressedSound()) {
			this.soundSeconds += BYTES_PER_CHARACTER * (to - from)
					/ (file.isWave() ? WAVE_BYTES_PER_SECOND : COMPRESSED_BYTES_PER_SECOND);
		}
	}

	int images() {
		return Math.max(this.images, this.measured);
	}

	/** Tiles of the images that are to be looked at closely. */
	int tiles() {
		int all = this.tiles + TILES_IF_UNKNOWN * (images() - this.measured);
		return (this.small == 0) ? all
				: (int) ((long) all * Math.max(0, images() - this.small) / Math.max(1, images()));
	}

	long soundSeconds() {
		return (long) Math.ceil(this.soundSeconds);
	}

}
