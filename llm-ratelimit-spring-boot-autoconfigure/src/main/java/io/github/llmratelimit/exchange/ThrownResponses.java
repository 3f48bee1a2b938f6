package io.github.llmratelimit.exchange;

import java.util.List;
import java.util.Objects;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmFailureClassifier;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrownResponse;
import io.github.llmratelimit.pipeline.ActionFailures;
import io.github.llmratelimit.pipeline.SendFailure;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderDialect;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * Reads the failures of actions: asks the classifiers, then the provider's dialect about
 * the response that a client has thrown, if there is one. Thread-safe.
 */
public final class ThrownResponses implements ActionFailures {

	private final ProviderRegistry providers;

	private final List<LlmFailureClassifier> classifiers;

	private final List<ThrownResponse.Reader> readers;

	/**
	 * Create a reader of failures.
	 * @param providers the providers with their dialects
	 * @param classifiers who is asked first, in this order
	 * @param readers who finds the responses in exceptions, in this order
	 */
	public ThrownResponses(ProviderRegistry providers, List<LlmFailureClassifier> classifiers,
			List<ThrownResponse.Reader> readers) {
		this.providers = providers;
		this.classifiers = List.copyOf(classifiers);
		this.readers = List.copyOf(readers);
	}

	@Override
	public Reading read(LlmCall call, Throwable failure) {
		for (LlmFailureClassifier classifier : this.classifiers) {
			ThrottleSignal signal = classifier.classify(call, failure);
			if (signal != null) {
				return Reading.of(signal);
			}
		}
		Provider provider = this.providers.named(call.provider());
		ThrownResponse response = (provider != null) ? responseIn(failure) : null;
		return (provider == null || response == null) ? Reading.withoutResponse(failure)
				: read(provider.dialect(), response);
	}

	private @Nullable ThrownResponse responseIn(Throwable failure) {
		return SendFailure.causes(failure).map(this::read).filter(Objects::nonNull).findFirst().orElse(null);
	}

	private @Nullable ThrownResponse read(Throwable failure) {
		for (ThrownResponse.Reader reader : this.readers) {
			ThrownResponse response = reader.read(failure);
			if (response != null) {
				return response;
			}
		}
		return null;
	}

	private static Reading read(ProviderDialect dialect, ThrownResponse response) {
		ResponseHead head = new ResponseHead(response.status(), response.headers());
		return new Reading(withoutKey(dialect.classify(head, response.body())), response.status(),
				dialect.observe(head));
	}

	/*
	 * Nobody knows with which key an action has called, so that no key of the pool is to
	 * blame.
	 */
	private static ThrottleSignal withoutKey(ThrottleSignal signal) {
		return (signal.outcome() == CallOutcome.KEY_REJECTED) ? ThrottleSignal.of(CallOutcome.REJECTED) : signal;
	}

}
