package io.github.llmratelimit.provider;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ThrottleSignal;

/**
 * Says what a response means: by its status first, then by the dialect's codes, then by
 * its texts. Immutable.
 *
 * @param codes meanings of codes and types, in lower case
 * @param phrases meanings of parts of texts, in lower case and in order of trust
 */
record Classifier(Map<String, Meaning> codes, List<Phrase> phrases) {

	Classifier {
		codes = Map.copyOf(codes);
		phrases = List.copyOf(phrases);
	}

	/** What a response that is, or hides, an error means. */
	ThrottleSignal classify(ResponseHead head, ErrorBody error, DurationText durations, List<Observed> fields,
			List<Observed> headers) {
		Meaning meaning = meaning(head, error);
		if (meaning == Meaning.SUCCESS) {
			return ThrottleSignal.SUCCESS;
		}
		WaitHint hint = new WaitHint(head, error, durations, fields, headers);
		if (meaning == Meaning.THROTTLED) {
			meaning = hint.trippedByHeaders();
		}
		return new ThrottleSignal(meaning.outcome(), meaning.tripped(), switch (meaning.outcome()) {
			case THROTTLED -> hint.untilAdmitted(meaning);
			case OVERLOADED -> hint.untilCapacity();
			case QUOTA_EXHAUSTED -> hint.untilQuotaReset();
			default -> null;
		}, Reason.of(error));
	}

	private Meaning meaning(ResponseHead head, ErrorBody error) {
		int status = effectiveStatus(head, error);
		Meaning byStatus = Meaning.ofStatus(status);
		if (byStatus == Meaning.TOO_LARGE || byStatus == Meaning.SUCCESS) {
			return byStatus;
		}
		Phrase phrase = phrase(error.text());
		if (phrase != null && phrase.overridesCodes()) {
			return phrase.meaning();
		}
		Meaning byText = byText(error, phrase);
		Meaning byCode = byCode(error);
		if (byCode != null) {
			return byCode.refinedBy(byText);
		}
		return (byText != null && trustsText(status, byText)) ? byText : byStatus;
	}

	/**
	 * The status that the body gives an error which hides in a success, else the real
	 * one.
	 */
	private static int effectiveStatus(ResponseHead head, ErrorBody error) {
		if (!head.isSuccessful() || error.isNone()) {
			return head.status();
		}
		Integer status = error.status();
		return (status != null && status >= 400) ? status : 500;
	}

	private @Nullable Meaning byCode(ErrorBody error) {
		Meaning byCode = meaning(error.code());
		Meaning byType = meaning(error.type());
		return (byCode == null || byCode == Meaning.THROTTLED && byType != null) ? byType : byCode;
	}

	private @Nullable Meaning meaning(@Nullable String code) {
		return (code != null) ? this.codes.get(code.toLowerCase(Locale.ROOT)) : null;
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
	 * Words about limits in other refusals speak of other limits, such as the context's.
	 */
	private static boolean trustsText(int status, Meaning byText) {
		return switch (status) {
			case 429, 439, 403 -> true;
			default -> status >= 500 && byText != Meaning.TOO_LARGE;
		};
	}

}
