package io.github.llmratelimit.provider;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;

/**
 * Collects the data of a dialect. What is given later replaces what was given earlier for
 * the same key, so that a dialect can begin {@linkplain #like like} another and say only
 * where it differs.
 */
public final class DialectBuilder {

	final String name;

	final List<String> baseUrls = new ArrayList<>();

	List<KeyPlace> keyPlaces = List.of(KeyPlace.BEARER);

	final Map<Counted, LimitAlgorithm> algorithms = new EnumMap<>(Counted.class);

	ZoneOffset zone = ZoneOffset.UTC;

	Charge charge = Charge.INPUT_PLUS_MAX_OUTPUT;

	boolean givesBack = true;

	Predicate<ResponseHead> hidingErrors = (head) -> false;

	int outputWeight = 1;

	boolean separatesModels;

	boolean acceptsStreamOptions;

	boolean standardFields;

	final List<LimitHeaders> headers = new ArrayList<>();

	final Map<String, BodyField> paths = new HashMap<>();

	final Map<Integer, Meaning> statuses = new HashMap<>();

	final Set<String> codeHeaders = new LinkedHashSet<>();

	final Set<String> resetHeaders = new LinkedHashSet<>();

	final Map<String, Meaning> codes = new HashMap<>();

	private final List<Phrase> ownPhrases = new ArrayList<>();

	private List<Phrase> inheritedPhrases = List.of();

	DialectBuilder(String name) {
		this.name = name;
	}

	/**
	 * Begin with everything that another dialect has, except its name and base URLs. Its
	 * phrases are asked after those of this dialect.
	 * @param other the other dialect
	 * @return this
	 */
	public DialectBuilder like(DialectTable other) {
		other.copyTo(this);
		this.inheritedPhrases = other.classifier().phrases();
		return this;
	}

	/**
	 * Add where providers of this dialect are found.
	 * @param baseUrls absolute URLs
	 * @return this
	 */
	public DialectBuilder baseUrls(String... baseUrls) {
		this.baseUrls.addAll(List.of(baseUrls));
		return this;
	}

	/**
	 * State where requests carry their key; {@code Authorization: Bearer} if not given.
	 * @param places where a pooled key is put, in the first that applies, and where
	 * requests may bring their own
	 * @return this
	 */
	public DialectBuilder key(KeyPlace... places) {
		this.keyPlaces = List.of(places);
		return this;
	}

	/**
	 * State how the provider counts this; in sliding windows if not given.
	 * @param counts what is counted
	 * @param algorithm how
	 * @return this
	 */
	public DialectBuilder algorithm(Counted counts, LimitAlgorithm algorithm) {
		this.algorithms.put(counts, algorithm);
		return this;
	}

	/**
	 * State the zone of dates that name none; UTC if not given.
	 * @param zone the zone
	 * @return this
	 */
	public DialectBuilder zone(ZoneOffset zone) {
		this.zone = zone;
		return this;
	}

	/**
	 * State what is charged at admission; input and the whole of the maximal output if
	 * not given.
	 * @param charge the charge
	 * @return this
	 */
	public DialectBuilder charges(Charge charge) {
		this.charge = charge;
		return this;
	}

	/**
	 * State that what was charged at admission is final.
	 * @return this
	 */
	public DialectBuilder keepsCharge() {
		this.givesBack = false;
		return this;
	}

	/**
	 * State that what was charged but not used returns when the call ends.
	 * @return this
	 */
	public DialectBuilder givesBack() {
		this.givesBack = true;
		return this;
	}

	/**
	 * State how many tokens one token of output is counted as; one if not given.
	 * @param weight 0 if only input counts
	 * @return this
	 */
	public DialectBuilder outputWeight(int weight) {
		this.outputWeight = weight;
		return this;
	}

	/**
	 * State that each model has limits of its own, and announces those.
	 * @return this
	 */
	public DialectBuilder separatesModels() {
		this.separatesModels = true;
		return this;
	}

	/**
	 * State whether streams can be asked for their usage by {@code stream_options}.
	 * @param accepted true if so; false if not given
	 * @return this
	 */
	public DialectBuilder streamOptions(boolean accepted) {
		this.acceptsStreamOptions = accepted;
		return this;
	}

	/**
	 * State that errors may come with a status of 200, in any body.
	 * @return this
	 */
	public DialectBuilder hidesErrors() {
		this.hidingErrors = (head) -> true;
		return this;
	}

	/**
	 * State that errors may come with a status of 200, but only in streams.
	 * @return this
	 */
	public DialectBuilder hidesErrorsInStreams() {
		this.hidingErrors = ResponseHead::isEventStream;
		return this;
	}

	/**
	 * State that errors come with the status of an error.
	 * @return this
	 */
	public DialectBuilder hidesNoErrors() {
		this.hidingErrors = (head) -> false;
		return this;
	}

	/**
	 * State that limits may be announced in the IETF's {@code RateLimit} fields.
	 * @return this
	 */
	public DialectBuilder standardFields() {
		this.standardFields = true;
		return this;
	}

	/**
	 * Add headers in which limits are announced, besides those known already.
	 * @param headers the headers of one limit each
	 * @return this
	 */
	public DialectBuilder announces(LimitHeaders... headers) {
		for (LimitHeaders limit : headers) {
			this.headers.removeIf((known) -> known.limit().equals(limit.limit()));
			this.headers.add(limit);
		}
		return this;
	}

	/**
	 * State the headers in which limits are announced; no others are looked up.
	 * @param headers the headers of one limit each; none if there are none
	 * @return this
	 */
	public DialectBuilder announcesOnly(LimitHeaders... headers) {
		this.headers.clear();
		this.standardFields = false;
		return announces(headers);
	}

	/**
	 * Add where a body has a field.
	 * @param field the field
	 * @param paths keys separated by dots; elements of an array are where the array is
	 * @return this
	 */
	public DialectBuilder path(BodyField field, String... paths) {
		for (String path : paths) {
			this.paths.put(path, field);
		}
		return this;
	}

	/**
	 * Add what statuses mean, where it is not the usual.
	 * @param meaning what they mean
	 * @param statuses HTTP statuses
	 * @return this
	 */
	public DialectBuilder statuses(Meaning meaning, int... statuses) {
		for (int status : statuses) {
			this.statuses.put(status, meaning);
		}
		return this;
	}

	/**
	 * Add headers whose value is a code; they are trusted more than the body.
	 * @param names names of headers, in lower case
	 * @return this
	 */
	public DialectBuilder codeHeaders(String... names) {
		this.codeHeaders.addAll(List.of(names));
		return this;
	}

	/**
	 * Add headers that say when a used-up quota is reset.
	 * @param names names of headers, in lower case
	 * @return this
	 */
	public DialectBuilder resetHeaders(String... names) {
		this.resetHeaders.addAll(List.of(names));
		return this;
	}

	/**
	 * Add what codes and types mean.
	 * @param meaning what they mean
	 * @param codes codes or types, in any case
	 * @return this
	 */
	public DialectBuilder codes(Meaning meaning, String... codes) {
		for (String code : codes) {
			this.codes.put(code.toLowerCase(Locale.ROOT), meaning);
		}
		return this;
	}

	/**
	 * Add what parts of texts mean, where no code says it. Of several that match, the one
	 * that was given first counts.
	 * @param meaning what they mean
	 * @param phrases parts of texts, in any case
	 * @return this
	 */
	public DialectBuilder phrases(Meaning meaning, String... phrases) {
		for (String phrase : phrases) {
			this.ownPhrases.add(new Phrase(phrase.toLowerCase(Locale.ROOT), meaning, false));
		}
		return this;
	}

	/**
	 * Add what parts of texts mean, whatever code stands beside them.
	 * @param meaning what they mean
	 * @param phrases parts of texts, in any case
	 * @return this
	 */
	public DialectBuilder overridingPhrases(Meaning meaning, String... phrases) {
		for (String phrase : phrases) {
			this.ownPhrases.add(new Phrase(phrase.toLowerCase(Locale.ROOT), meaning, true));
		}
		return this;
	}

	/**
	 * Add what numbers mean, where they are codes and where texts have them.
	 * @param meaning what they mean
	 * @param format how a number stands in a text, for example {@code "(%s)"}
	 * @param numbers the numbers
	 * @return this
	 */
	public DialectBuilder numbers(Meaning meaning, String format, int... numbers) {
		for (int number : numbers) {
			codes(meaning, String.valueOf(number));
			overridingPhrases(meaning, String.format(Locale.ROOT, format, number));
		}
		return this;
	}

	List<Phrase> phrases() {
		return Stream.concat(this.ownPhrases.stream(), this.inheritedPhrases.stream())
			.sorted(Comparator.comparing(Phrase::overridesCodes).reversed())
			.toList();
	}

	/**
	 * The dialect as described so far.
	 * @return a new dialect
	 */
	public DialectTable build() {
		return new DialectTable(this);
	}

}
