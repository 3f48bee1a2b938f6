package io.github.llmratelimit.provider;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.provider.StructuredField.Member;

/**
 * A ceiling and its window as a header states them, {@code "burst";q=100;w=60} or
 * {@code 100;w=60}.
 *
 * @param name its name with quotes, or the quota if it has none
 * @param counts what it counts, {@code null} if that is nothing we count
 * @param quota the ceiling
 * @param per its window, {@code null} if it is not stated
 */
record Policy(String name, @Nullable Counted counts, long quota, @Nullable Duration per) {

	/** The policies in a field, none if it is malformed. */
	static List<Policy> in(@Nullable String field) {
		List<Policy> policies = new ArrayList<>();
		for (Member member : StructuredField.members(field)) {
			Long quota = member.isNamed() ? member.number("q") : StructuredField.number(member.item());
			if (quota == null || !member.isNumeric("w")) {
				return List.of();
			}
			policies.add(new Policy(member.item(), counts(member.parameters().get("qu")), quota,
					seconds(member.number("w"))));
		}
		return policies;
	}

	/** The ceiling alone, as an observation of what counts this. */
	Observed ceiling(Counted counts) {
		return new Observed(counts, this.per, this.quota, null, null);
	}

	static @Nullable Duration seconds(@Nullable Long seconds) {
		return (seconds != null) ? Duration.ofSeconds(seconds) : null;
	}

	/** What a quota unit counts: requests unless it says otherwise. */
	private static @Nullable Counted counts(@Nullable String unit) {
		String label = (unit != null) ? unit.replace("\"", "") : Counted.REQUESTS.label();
		return Arrays.stream(Counted.values())
			.filter((counts) -> counts.label().equals(label))
			.findFirst()
			.orElse(null);
	}

}
