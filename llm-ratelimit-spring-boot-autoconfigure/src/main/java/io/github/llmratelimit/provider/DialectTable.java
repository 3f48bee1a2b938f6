package io.github.llmratelimit.provider;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.token.RequestFacts;

/**
 * A dialect that is data only. Immutable.
 */
final class DialectTable implements ProviderDialect {

	private final String name;

	private final List<String> baseUrls;

	private final Map<Counted, LimitAlgorithm> algorithms;

	private final Charge charge;

	private final boolean givesBack;

	private final Predicate<ResponseHead> hidingErrors;

	private final boolean standardFields;

	private final List<LimitHeaders> headers;

	private final JsonPaths paths;

	private final Classifier classifier;

	private DialectTable(Builder builder) {
		this.name = builder.name;
		this.baseUrls = List.copyOf(builder.baseUrls);
		this.algorithms = Map.copyOf(builder.algorithms);
		this.charge = builder.charge;
		this.givesBack = builder.givesBack;
		this.hidingErrors = builder.hidingErrors;
		this.standardFields = builder.standardFields;
		this.headers = List.copyOf(builder.headers);
		this.paths = JsonPaths.of(builder.paths);
		this.classifier = new Classifier(builder.codes, builder.phrases);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public List<String> baseUrls() {
		return this.baseUrls;
	}

	@Override
	public LimitAlgorithm algorithm(Counted counts) {
		return this.algorithms.getOrDefault(counts, LimitAlgorithm.SLIDING_WINDOW);
	}

	@Override
	public TokenEstimate estimate(RequestFacts request, long inputTokens) {
		return this.charge.estimate(request, inputTokens);
	}

	@Override
	public boolean givesBack() {
		return this.givesBack;
	}

	@Override
	public boolean mayHideError(ResponseHead head) {
		return this.hidingErrors.test(head);
	}

	@Override
	public ObservedLimits observe(ResponseHead head) {
		List<Observed> limits = inHeaders(head);
		limits.addAll(inStandardFields(head));
		return limits.isEmpty() ? ObservedLimits.NONE : new ObservedLimits(limits);
	}

	@Override
	public ThrottleSignal classify(ResponseHead head, byte[] body) {
		return signal(head, new BodyReader(this, head).errorOf(body));
	}

	@Override
	public UsageReader usageReader(ResponseHead head) {
		return head.mayHaveUsage() ? new BodyReader(this, head) : UsageReader.NONE;
	}

	ThrottleSignal signal(ResponseHead head, ErrorBody error) {
		return this.classifier.classify(head, error, inStandardFields(head), inHeaders(head));
	}

	Classifier classifier() {
		return this.classifier;
	}

	JsonPaths paths() {
		return this.paths;
	}

	private List<Observed> inStandardFields(ResponseHead head) {
		return this.standardFields ? RateLimitFields.read(head) : List.of();
	}

	private List<Observed> inHeaders(ResponseHead head) {
		DurationText durations = DurationText.of(head, ZoneOffset.UTC);
		List<Observed> limits = new ArrayList<>();
		for (LimitHeaders header : this.headers) {
			Observed limit = header.read(head, durations);
			if (limit != null) {
				limits.add(limit);
			}
		}
		return limits;
	}

	/** A dialect to be described. */
	static Builder named(String name) {
		return new Builder(name);
	}

	/**
	 * Collects the data of a dialect.
	 */
	static final class Builder {

		private final String name;

		private final List<String> baseUrls = new ArrayList<>();

		private final Map<Counted, LimitAlgorithm> algorithms = new EnumMap<>(Counted.class);

		private Charge charge = Charge.INPUT_PLUS_MAX_OUTPUT;

		private boolean givesBack = true;

		private Predicate<ResponseHead> hidingErrors = (head) -> false;

		private boolean standardFields;

		private final List<LimitHeaders> headers = new ArrayList<>();

		private final Map<String, BodyField> paths = new HashMap<>();

		private final Map<String, Meaning> codes = new HashMap<>();

		private final List<Phrase> phrases = new ArrayList<>();

		private Builder(String name) {
			this.name = name;
		}

		Builder baseUrls(String... baseUrls) {
			this.baseUrls.addAll(List.of(baseUrls));
			return this;
		}

		/** How the provider counts this; sliding windows if not given. */
		Builder algorithm(Counted counts, LimitAlgorithm algorithm) {
			this.algorithms.put(counts, algorithm);
			return this;
		}

		/** What is charged at admission. */
		Builder charges(Charge charge) {
			this.charge = charge;
			return this;
		}

		/** What was charged at admission is final. */
		Builder keepsCharge() {
			this.givesBack = false;
			return this;
		}

		/** Errors may come with a status of 200. */
		Builder hidesErrors() {
			this.hidingErrors = (head) -> true;
			return this;
		}

		/** Errors may come in streams of a status of 200. */
		Builder hidesErrorsInStreams() {
			this.hidingErrors = ResponseHead::isEventStream;
			return this;
		}

		/** Limits may be announced in the IETF's fields. */
		Builder standardFields() {
			this.standardFields = true;
			return this;
		}

		Builder headers(LimitHeaders headers) {
			this.headers.add(headers);
			return this;
		}

		/** Where a body has a field. */
		Builder path(BodyField field, String... paths) {
			for (String path : paths) {
				this.paths.put(path, field);
			}
			return this;
		}

		/** What codes and types mean. */
		Builder codes(Meaning meaning, String... codes) {
			for (String code : codes) {
				this.codes.put(code, meaning);
			}
			return this;
		}

		/** What parts of texts mean; earlier ones win. */
		Builder phrases(Meaning meaning, String... phrases) {
			for (String phrase : phrases) {
				this.phrases.add(new Phrase(phrase, meaning));
			}
			return this;
		}

		DialectTable build() {
			return new DialectTable(this);
		}

	}

}
