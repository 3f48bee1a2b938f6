package io.github.llmratelimit.provider;

/**
 * Counts roughly how many tokens texts have: four bytes of ASCII make one, or three of
 * anything else. Not thread-safe.
 */
final class OutputCount {

	private long ascii;

	private long other;

	void add(byte[] bytes, int from, int to) {
		int beyondAscii = ByteSearch.countBeyondAscii(bytes, from, to);
		this.other += beyondAscii;
		this.ascii += to - from - beyondAscii;
	}

	long tokens() {
		return (this.ascii + 3) / 4 + (this.other + 2) / 3;
	}

}
