package io.github.llmratelimit.token;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a model cuts texts into.
 */
public enum Vocabulary {

	/** OpenAI's {@code cl100k_base}: GPT-4, GPT-3.5 and embeddings. */
	CL100K,

	/**
	 * OpenAI's {@code o200k_base}: everything newer, and the nearest to the vocabularies
	 * of other vendors, of which most are as large.
	 */
	O200K;

	private static final List<String> NEWER = List.of("gpt-4o", "gpt-4.1", "gpt-4.5");

	private static final List<String> OLDER = List.of("gpt-4", "gpt-3.5", "gpt-35", "text-embedding-");

	/**
	 * The vocabulary of a model.
	 * @param model name of the model, {@code null} if it is unknown
	 * @return its vocabulary, or the nearest one
	 */
	public static Vocabulary of(@Nullable String model) {
		return (model != null && begins(model, OLDER) && !begins(model, NEWER)) ? CL100K : O200K;
	}

	/* Behind the vendor where a gateway puts it in front, as in "openai/gpt-4". */
	private static boolean begins(String model, List<String> prefixes) {
		int from = model.lastIndexOf('/') + 1;
		return prefixes.stream().anyMatch((prefix) -> model.startsWith(prefix, from));
	}

}
