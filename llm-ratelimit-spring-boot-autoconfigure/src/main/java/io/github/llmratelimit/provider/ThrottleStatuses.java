package io.github.llmratelimit.provider;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.token.RequestFacts;

/**
 * A dialect with more statuses that mean throttling: a response with one of them that
 * would only be an error is read as if it were a 429.
 */
public final class ThrottleStatuses implements ProviderDialect {

	private static final int TOO_MANY_REQUESTS = 429;

	private final ProviderDialect dialect;

	private final Set<Integer> statuses;

	private ThrottleStatuses(ProviderDialect dialect, Set<Integer> statuses) {
		this.dialect = dialect;
		this.statuses = statuses;
	}

	/**
	 * Add statuses to a dialect.
	 * @param dialect the dialect
	 * @param statuses HTTP statuses
	 * @return the dialect that knows them
	 */
	public static ProviderDialect of(ProviderDialect dialect, Collection<Integer> statuses) {
		return statuses.isEmpty() ? dialect : new ThrottleStatuses(dialect, Set.copyOf(statuses));
	}

	@Override
	public ThrottleSignal classify(ResponseHead head, byte[] body) {
		ThrottleSignal signal = this.dialect.classify(head, body);
		boolean plainError = signal.outcome() == CallOutcome.REJECTED || signal.outcome() == CallOutcome.FAILED;
		return (plainError && this.statuses.contains(head.status()))
				? this.dialect.classify(new ResponseHead(TOO_MANY_REQUESTS, head.headers()), body) : signal;
	}

	@Override
	public String name() {
		return this.dialect.name();
	}

	@Override
	public List<String> baseUrls() {
		return this.dialect.baseUrls();
	}

	@Override
	public List<KeyPlace> keyPlaces() {
		return this.dialect.keyPlaces();
	}

	@Override
	public LimitAlgorithm algorithm(Counted counts) {
		return this.dialect.algorithm(counts);
	}

	@Override
	public TokenEstimate estimate(RequestFacts request, TokenEstimate expected) {
		return this.dialect.estimate(request, expected);
	}

	@Override
	public boolean givesBack() {
		return this.dialect.givesBack();
	}

	@Override
	public boolean separatesModels() {
		return this.dialect.separatesModels();
	}

	@Override
	public boolean acceptsStreamOptions() {
		return this.dialect.acceptsStreamOptions();
	}

	@Override
	public boolean mayHideError(ResponseHead head) {
		return this.dialect.mayHideError(head);
	}

	@Override
	public ObservedLimits observe(ResponseHead head) {
		return this.dialect.observe(head);
	}

	@Override
	public UsageReader usageReader(ResponseHead head) {
		return this.dialect.usageReader(head);
	}

}
