package io.github.llmratelimit.jtokkit;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.llmratelimit.token.RequestFacts;
import io.github.llmratelimit.token.TokenEstimator;
import io.github.llmratelimit.token.Vocabulary;
import org.jspecify.annotations.Nullable;

/**
 * Counts the tokens of texts by the vocabulary of the model. The heuristic steps in where
 * that would hold up an event loop: for long prompts, and while a vocabulary is being
 * loaded. Thread-safe; never blocks.
 */
public final class JtokkitTokenEstimator implements TokenEstimator {

	/** About 20 KB of English, which take 2 ms. */
	private static final int MOST_TOKENS = 5_000;

	/** The time for a word without an end grows faster than its length. */
	private static final int LONGEST_PIECE = 256;

	private static final Map<Vocabulary, EncodingType> TYPES = Map.of(Vocabulary.CL100K, EncodingType.CL100K_BASE,
			Vocabulary.O200K, EncodingType.O200K_BASE);

	private final HeuristicTokenEstimator heuristic = new HeuristicTokenEstimator();

	private final EncodingRegistry registry = Encodings.newLazyEncodingRegistry();

	private final Map<Vocabulary, CompletableFuture<Encoding>> encodings = new ConcurrentHashMap<>();

	private final Executor loader;

	/**
	 * Create an estimator that loads a vocabulary, which takes a second or two, on a
	 * thread of its own once a model needs it.
	 */
	public JtokkitTokenEstimator() {
		this(JtokkitTokenEstimator::startThread);
	}

	JtokkitTokenEstimator(Executor loader) {
		this.loader = loader;
	}

	private static void startThread(Runnable task) {
		Thread thread = new Thread(task, "llm-ratelimit-jtokkit");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public long inputTokens(RequestFacts request) {
		long estimate = this.heuristic.inputTokens(request);
		Encoding encoding = (estimate > 0 && estimate <= MOST_TOKENS) ? encodingOf(Vocabulary.of(request.model()))
				: null;
		return (encoding != null) ? this.heuristic.inputTokens(request, count(request, encoding)) : estimate;
	}

	private @Nullable Encoding encodingOf(Vocabulary vocabulary) {
		CompletableFuture<Encoding> encoding = this.encodings.get(vocabulary);
		if (encoding == null) {
			encoding = this.encodings.computeIfAbsent(vocabulary, this::load);
		}
		return (encoding.isDone() && !encoding.isCompletedExceptionally()) ? encoding.join() : null;
	}

	private CompletableFuture<Encoding> load(Vocabulary vocabulary) {
		return CompletableFuture.supplyAsync(() -> this.registry.getEncoding(TYPES.get(vocabulary)), this.loader);
	}

	private static long count(RequestFacts request, Encoding encoding) {
		long tokens = 0;
		for (String text : request.texts()) {
			int from = 0;
			while (from < text.length()) {
				int to = endOfPiece(text, from);
				tokens += encoding.countTokensOrdinary(text.substring(from, to));
				from = to;
			}
		}
		return tokens;
	}

	/** Before a blank if there is one near, where a token begins anyway. */
	private static int endOfPiece(String text, int from) {
		int most = from + LONGEST_PIECE;
		if (most >= text.length()) {
			return text.length();
		}
		int blank = text.lastIndexOf(' ', most);
		if (blank > from) {
			return blank;
		}
		return Character.isLowSurrogate(text.charAt(most)) ? most - 1 : most;
	}

}
