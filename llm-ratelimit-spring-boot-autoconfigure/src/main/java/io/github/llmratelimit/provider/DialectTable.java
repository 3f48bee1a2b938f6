package io.github.llmratelimit.provider;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
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
 * A dialect that is data only. Immutable. A bean of this type is all it takes to teach
 * the library another provider:
 *
 * <pre class="code">
 * &#064;Bean
 * DialectTable acmeDialect() {
 *     return DialectTable.named("acme")
 *         .like(Dialects.named("openai-compatible"))
 *         .baseUrls("https://api.acme.example")
 *         .charges(Charge.INPUT_PLUS_MAX_OUTPUT)
 *         .announces(LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-acme", "-tokens"))
 *         .codes(Meaning.TOKENS, "TPM_EXCEEDED")
 *         .phrases(Meaning.QUOTA, "please recharge")
 *         .build();
 * }
 * </pre>
 */
public final class DialectTable implements ProviderDialect {

	private static final ResponseHead QUOTED = new ResponseHead(500, (name) -> null);

	private final String name;

	private final List<String> baseUrls;

	private final List<KeyPlace> keyPlaces;

	private final Map<Counted, LimitAlgorithm> algorithms;

	private final Charge charge;

	private final boolean givesBack;

	private final Predicate<ResponseHead> hidingErrors;

	private final int outputWeight;

	private final boolean separatesModels;

	private final boolean acceptsStreamOptions;

	private final ZoneOffset zone;

	private final boolean standardFields;

	private final List<LimitHeaders> headers;

	private final Map<String, BodyField> places;

	private final JsonPaths paths;

	private final List<String> resetHeaders;

	private final Classifier classifier;

	DialectTable(DialectBuilder builder) {
		this.name = builder.name;
		this.baseUrls = List.copyOf(builder.baseUrls);
		this.keyPlaces = List.copyOf(builder.keyPlaces);
		this.algorithms = Map.copyOf(builder.algorithms);
		this.charge = builder.charge;
		this.givesBack = builder.givesBack;
		this.hidingErrors = builder.hidingErrors;
		this.outputWeight = builder.outputWeight;
		this.separatesModels = builder.separatesModels;
		this.acceptsStreamOptions = builder.acceptsStreamOptions;
		this.zone = builder.zone;
		this.standardFields = builder.standardFields;
		this.headers = List.copyOf(builder.headers);
		this.places = Map.copyOf(builder.paths);
		this.paths = JsonPaths.of(this.places);
		this.resetHeaders = List.copyOf(builder.resetHeaders);
		this.classifier = new Classifier(builder.statuses, List.copyOf(builder.codeHeaders), builder.codes,
				builder.phrases());
	}

	/**
	 * A dialect to be described.
	 * @param name the name by which properties select it
	 * @return a builder that knows nothing yet
	 */
	public static DialectBuilder named(String name) {
		return new DialectBuilder(name);
	}

	/**
	 * The dialect of providers of which nothing is known.
	 * @return {@code generic}
	 */
	public static DialectTable generic() {
		return GenericDialect.TABLE;
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
	public List<KeyPlace> keyPlaces() {
		return this.keyPlaces;
	}

	@Override
	public LimitAlgorithm algorithm(Counted counts) {
		return this.algorithms.getOrDefault(counts, LimitAlgorithm.SLIDING_WINDOW);
	}

	@Override
	public TokenEstimate estimate(RequestFacts request, TokenEstimate expected) {
		return this.charge.estimate(request, expected);
	}

	@Override
	public boolean givesBack() {
		return this.givesBack;
	}

	@Override
	public boolean separatesModels() {
		return this.separatesModels;
	}

	@Override
	public boolean acceptsStreamOptions() {
		return this.acceptsStreamOptions;
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
		if (body.length == 0 && head.isSuccessful()) {
			return ThrottleSignal.SUCCESS;
		}
		ErrorBody error = new BodyReader(this, head).errorOf(body);
		return (error.isNone() && head.isSuccessful()) ? ThrottleSignal.SUCCESS : signal(head, error);
	}

	@Override
	public UsageReader usageReader(ResponseHead head) {
		return head.mayHaveUsage() ? new BodyReader(this, head) : UsageReader.NONE;
	}

	ThrottleSignal signal(ResponseHead head, ErrorBody error) {
		ErrorBody whole = error.causedBy(quotedIn(error));
		DurationText durations = DurationText.of(head, this.zone);
		List<Observed> limits = inHeaders(head);
		this.headers.forEach((header) -> header.readReset(head, durations, limits));
		WaitHint hint = new WaitHint(head, whole, durations, this.resetHeaders, inStandardFields(head), limits);
		return this.classifier.classify(head, whole, hint);
	}

	/** The error whose JSON another one quotes, as gateways do. */
	private ErrorBody quotedIn(ErrorBody error) {
		String json = error.quotedJson();
		return (json != null) ? new BodyReader(this, QUOTED).errorOf(json.getBytes(StandardCharsets.UTF_8))
				: ErrorBody.NONE;
	}

	int outputWeight() {
		return this.outputWeight;
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
		DurationText durations = DurationText.of(head, this.zone);
		List<Observed> limits = new ArrayList<>();
		for (LimitHeaders header : this.headers) {
			header.read(head, durations, limits);
		}
		return limits;
	}

	void copyTo(DialectBuilder builder) {
		builder.keyPlaces = this.keyPlaces;
		builder.algorithms.putAll(this.algorithms);
		builder.charge = this.charge;
		builder.givesBack = this.givesBack;
		builder.hidingErrors = this.hidingErrors;
		builder.outputWeight = this.outputWeight;
		builder.separatesModels = this.separatesModels;
		builder.acceptsStreamOptions = this.acceptsStreamOptions;
		builder.zone = this.zone;
		builder.standardFields = this.standardFields;
		builder.headers.addAll(this.headers);
		builder.paths.putAll(this.places);
		builder.resetHeaders.addAll(this.resetHeaders);
		builder.statuses.putAll(this.classifier.statuses());
		builder.codeHeaders.addAll(this.classifier.codeHeaders());
		builder.codes.putAll(this.classifier.codes());
	}

}
