package io.github.llmratelimit.provider;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.ThrottleSignal;

/**
 * Says what a response means: by its status first, then by the dialect's codes, then by
 * its texts. Immutable.
 *
 * @param statuses meanings of statuses, where they are not the usual ones
 * @param codeHeaders headers that have codes
 * @param codes meanings of codes and types, in lower case
 * @param phrases meanings of parts of texts, in lower case and in order of trust
 */
record Classifier(Map<Integer, Meaning> statuses, List<String> codeHeaders, Map<String, Meaning> codes,
		List<Phrase> phrases) {

	Classifier {
		statuses = Map.copyOf(statuses);
		codeHeaders = List.copyOf(codeHeaders);
		codes = Map.copyOf(codes);
		phrases = List.copyOf(phrases);
	}

	/** What a response that is, or hides, an error means. */
	ThrottleSignal classify(ResponseHead head, ErrorBody error, WaitHint hint) {
		Meaning meaning = meaning(head, error);
		if (meaning == Meaning.SUCCESS) {
			return ThrottleSignal.SUCCESS;
		}
		if (meaning == Meaning.THROTTLED) {
			meaning = forbidsRetry(head) ? Meaning.QUOTA : hint.trippedByHeaders();
		}
		return new ThrottleSignal(meaning.outcome(), meaning.tripped(), switch (meaning.outcome()) {
			case THROTTLED -> hint.untilAdmitted(meaning);
			case OVERLOADED -> hint.untilCapacity();
			case QUOTA_EXHAUSTED -> hint.untilQuotaReset();
			default -> null;
		}, Reason.of(error), (meaning == Meaning.QUOTA) ? LevelWords.in(error.text()) : null);
	}

	private Meaning meaning(ResponseHead head, ErrorBody error) {
		int status = effectiveStatus(head, error);
		Meaning byStatus = this.statuses.getOrDefault(status, Meaning.ofStatus(status));
		if (byStatus == Meaning.TOO_LARGE || byStatus == Meaning.SUCCESS) {
			return byStatus;
		}
		Phrase phrase = phrase(error.text());
		if (phrase != null && phrase.overridesCodes()) {
			return phrase.meaning();
		}
		Meaning byText = byText(error, phrase);
		Meaning byCode = byCode(head, error);
		if (byCode != null) {
			return byCode.refinedBy(byText);
		}
		return (byText != null && trustsText(status, byText)) ? byText : byStatus;
	}

	/**
	 * The status that the body gives an error which hides in a success or behind a
	 * gateway, else the real one.
	 */
	private static int effectiveStatus(ResponseHead head, ErrorBody error) {
		Integer status = error.status();
		if (head.isSuccessful() && !error.isNone()) {
			return (status != null && status >= 400) ? status : 500;
		}
		return (head.status() >= 500 && status != null && status == 429) ? status : head.status();
	}

	/** The first code that says more than that there is a rate, else that. */
	private @Nullable Meaning byCode(ResponseHead head, ErrorBody error) {
		Stream<String> inHeaders = this.codeHeaders.stream().flatMap((name) -> Stream.ofNullable(codeIn(head, name)));
		List<Meaning> meanings = Stream.concat(inHeaders, error.codes())
			.flatMap((code) -> Stream.ofNullable(this.codes.get(plain(code))))
			.toList();
		return meanings.stream()
			.filter((meaning) -> meaning != Meaning.THROTTLED)
			.findFirst()
			.orElse(meanings.isEmpty() ? null : Meaning.THROTTLED);
	}

	/** Codes in headers may be followed by the URL of their name space. */
	private static @Nullable String codeIn(ResponseHead head, String name) {
		String value = head.header(name);
		return (value != null) ? value.split(":", 2)[0] : null;
	}

	/** A code without the name space before it. */
	private static String plain(String code) {
		return code.substring(code.lastIndexOf('#') + 1).toLowerCase(Locale.ROOT);
	}

	private static @Nullable Meaning byText(ErrorBody error, @Nullable Phrase phrase) {
		Quantities quantities = Quantities.in(error.text());
		if (quantities != null && quantities.neverFits()) {
			return Meaning.TOO_LARGE;
		}
		return (phrase != null) ? phrase.meaning() : null;
	}

	private @Nullable Phrase phrase(String text) {
		for (Phrase phrase : this.phrases) {
			if (text.contains(phrase.text())) {
				return phrase;
			}
		}
		return null;
	}

	/**
	 * Words about limits in other refusals speak of other limits, such as the context's;
	 * words about money do not.
	 */
	private static boolean trustsText(int status, Meaning byText) {
		return switch (status) {
			case 429, 439, 403 -> true;
			case 401 -> byText == Meaning.BANNED;
			default -> (status >= 500) ? byText != Meaning.TOO_LARGE : byText.isPermanent();
		};
	}

	private static boolean forbidsRetry(ResponseHead head) {
		return "false".equalsIgnoreCase(head.header("x-should-retry"));
	}

}
