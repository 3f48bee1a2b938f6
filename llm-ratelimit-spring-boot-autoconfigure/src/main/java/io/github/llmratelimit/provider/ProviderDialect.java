package io.github.llmratelimit.provider;

import java.util.List;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.token.RequestFacts;

/**
 * How a provider counts, refuses and reports. A bean of this type adds a dialect or
 * replaces the built-in one of the same name; only the {@linkplain #name() name} MUST be
 * given, everything else defaults to the dialect {@code generic}. Implementations MUST be
 * thread-safe and MUST NOT block, read a clock, or throw because of what a response
 * contains.
 */
public interface ProviderDialect {

	/**
	 * The name by which properties select this dialect.
	 * @return for example {@code openai}
	 */
	String name();

	/**
	 * The URLs below which providers of this dialect are found by default.
	 * @return absolute URLs; empty if they must be configured
	 */
	default List<String> baseUrls() {
		return List.of();
	}

	/**
	 * Where requests carry their key. The first place that applies to a request is where
	 * a pooled key is put; in all that do, a request may have brought its own.
	 * @return the places, at least one that always applies
	 */
	default List<KeyPlace> keyPlaces() {
		return GenericDialect.TABLE.keyPlaces();
	}

	/**
	 * The algorithm by which the provider counts.
	 * @param counts what a limit counts
	 * @return the algorithm
	 */
	default LimitAlgorithm algorithm(Counted counts) {
		return GenericDialect.TABLE.algorithm(counts);
	}

	/**
	 * The tokens that the provider charges when it admits a request.
	 * @param request what is known of the request
	 * @param expected what it is expected to use: its prompt, and an answer of usual
	 * length, no longer than it may be
	 * @return the charge; what is expected where the request does not bound its output
	 */
	default TokenEstimate estimate(RequestFacts request, TokenEstimate expected) {
		return GenericDialect.TABLE.estimate(request, expected);
	}

	/**
	 * Whether tokens that were charged at admission but not used return to the limit when
	 * the call ends.
	 * @return false if the charge at admission is final
	 */
	default boolean givesBack() {
		return true;
	}

	/**
	 * Whether the limits that responses announce are those of the asked model alone.
	 * @return false if all models of an account share them
	 */
	default boolean separatesModels() {
		return false;
	}

	/**
	 * Whether an error may hide in a response of status 200, so that the beginning of its
	 * body is to be {@linkplain #classify classified} before it is handed on.
	 * @param head status and headers
	 * @return true if it may
	 */
	default boolean mayHideError(ResponseHead head) {
		return false;
	}

	/**
	 * Whether a streamed chat completion can be asked for its usage by
	 * {@code stream_options}.
	 * @return false if the provider does not know them, or reports usage anyway
	 */
	default boolean acceptsStreamOptions() {
		return false;
	}

	/**
	 * What a response announces about limits. Only reads, of any status.
	 * @param head status and headers
	 * @return the limits, {@link ObservedLimits#NONE} if there are none
	 */
	default ObservedLimits observe(ResponseHead head) {
		return GenericDialect.TABLE.observe(head);
	}

	/**
	 * What a response means.
	 * @param head status and headers
	 * @param body the body or its beginning; may be empty and need not be what the
	 * headers say
	 * @return the meaning; success for a status of 200 unless an error hides in the body
	 */
	default ThrottleSignal classify(ResponseHead head, byte[] body) {
		return GenericDialect.TABLE.classify(head, body);
	}

	/**
	 * A reader for the body of one response.
	 * @param head status and headers
	 * @return a new reader
	 */
	default UsageReader usageReader(ResponseHead head) {
		return GenericDialect.TABLE.usageReader(head);
	}

}
