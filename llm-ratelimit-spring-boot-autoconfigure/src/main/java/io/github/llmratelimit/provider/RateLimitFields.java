package io.github.llmratelimit.provider;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.provider.StructuredField.Member;

/**
 * The {@code RateLimit} and {@code RateLimit-Policy} fields of the IETF's drafts
 * (draft-ietf-httpapi-ratelimit-headers), in the forms of -07 and of -08 to -10; the
 * three fields of older drafts are {@link LimitHeaders}. A field that is malformed is
 * ignored as a whole.
 */
final class RateLimitFields {

	private RateLimitFields() {
	}

	/** The limits that the fields name; those without a policy have no window. */
	static List<Observed> read(ResponseHead head) {
		String field = head.header("ratelimit");
		String policy = head.header("ratelimit-policy");
		if (field == null && policy == null) {
			return List.of();
		}
		List<Member> limits = StructuredField.members(field);
		List<Policy> policies = Policy.in(policy);
		boolean isDictionary = !limits.isEmpty() && !limits.get(0).key().isEmpty();
		return isDictionary ? ofDictionary(limits, policies) : ofList(limits, policies);
	}

	private static List<Observed> ofDictionary(List<Member> members, List<Policy> policies) {
		Map<String, String> values = members.stream()
			.collect(Collectors.toMap(Member::key, Member::item, (first, second) -> second));
		Long limit = StructuredField.number(values.get("limit"));
		Long remaining = StructuredField.number(values.get("remaining"));
		Long reset = StructuredField.number(values.get("reset"));
		if (remaining == null || limit == null && values.containsKey("limit")
				|| reset == null && values.containsKey("reset")) {
			return List.of();
		}
		Policy policy = policies.stream()
			.filter((each) -> Objects.equals(each.quota(), limit))
			.findFirst()
			.orElse(null);
		List<Observed> limits = new ArrayList<>();
		limits.add(new Observed(Counted.REQUESTS, (policy != null) ? policy.per() : null, limit, remaining,
				Policy.seconds(reset)));
		policies.stream().filter((other) -> other != policy).forEach((other) -> add(other, limits));
		return limits;
	}

	private static List<Observed> ofList(List<Member> members, List<Policy> policies) {
		Map<String, Policy> unused = policies.stream()
			.filter((policy) -> policy.name().startsWith("\""))
			.collect(Collectors.toMap(Policy::name, Function.identity(), (first, second) -> second));
		List<Observed> limits = new ArrayList<>();
		for (Member member : members) {
			Long remaining = member.isNamed() ? member.number("r") : null;
			if (remaining == null || !member.isNumeric("t")) {
				return List.of();
			}
			Policy policy = unused.remove(member.item());
			add(member, remaining, policy, limits);
		}
		unused.values().forEach((policy) -> add(policy, limits));
		return limits;
	}

	private static void add(Member member, long remaining, @Nullable Policy policy, List<Observed> limits) {
		Counted counts = (policy != null) ? policy.counts() : Counted.REQUESTS;
		if (counts != null) {
			limits.add(new Observed(counts, (policy != null) ? policy.per() : null,
					(policy != null) ? policy.quota() : null, remaining, Policy.seconds(member.number("t"))));
		}
	}

	private static void add(Policy policy, List<Observed> limits) {
		if (policy.counts() != null) {
			limits.add(policy.ceiling(policy.counts()));
		}
	}

}
