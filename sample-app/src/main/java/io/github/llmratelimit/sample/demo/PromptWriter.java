package io.github.llmratelimit.sample.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;

/**
 * Makes prompts out of old books: English or Chinese, from a line to several pages. The
 * same seed makes the same prompts. Not thread-safe.
 */
final class PromptWriter {

	private static final int MOST_PASSAGES = 20;

	private static final int LEAST_MAX_TOKENS = 1100;

	private static final int MOST_MAX_TOKENS = 2900;

	private static final List<Book> BOOKS = List.of(
			new Book("Summarize the following text and explain its style:", passages("texts/english.txt")),
			new Book("请概括下面的文字，并说明它的写作特点：", passages("texts/chinese.txt")));

	private final Random random;

	PromptWriter(long seed) {
		this.random = new Random(seed);
	}

	private static List<String> passages(String path) {
		try {
			String text = new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
			return List.of(text.strip().split("\n\n"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	List<Prompt> write(int count) {
		return Stream.generate(this::next).limit(count).toList();
	}

	private Prompt next() {
		Book book = oneOf(BOOKS);
		String text = IntStream.range(0, length())
			.mapToObj((i) -> oneOf(book.passages()))
			.collect(Collectors.joining("\n\n", book.task() + "\n\n", ""));
		return new Prompt(text, this.random.nextInt(LEAST_MAX_TOKENS, MOST_MAX_TOKENS + 1));
	}

	// As many prompts of 1 to 4 passages as of 5 to 20.
	private int length() {
		return (int) Math.exp(this.random.nextDouble(0, Math.log(MOST_PASSAGES + 1)));
	}

	private <T> T oneOf(List<T> choices) {
		return choices.get(this.random.nextInt(choices.size()));
	}

	private record Book(String task, List<String> passages) {
	}

}
