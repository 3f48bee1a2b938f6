package io.github.llmratelimit;

import java.util.List;

/**
 * Models that share limits of their own inside an account, on top of the account's.
 *
 * @param name name of the group
 * @param match model names that belong to it; {@code *} stands for any characters
 * @param plan limits of the group
 */
public record ModelGroup(String name, List<String> match, LimitPlan plan) {

	public ModelGroup {
		match = List.copyOf(match);
		if (match.isEmpty()) {
			throw new IllegalArgumentException(name + ": no model name to match (expected: at least one)");
		}
	}

	public ModelGroup withPlan(LimitPlan plan) {
		return new ModelGroup(this.name, this.match, plan);
	}

	/**
	 * Whether a model belongs to this group.
	 * @param model name of a model, as it stands in the request
	 * @return true if one of the patterns matches
	 */
	public boolean contains(String model) {
		return this.match.stream().anyMatch((pattern) -> matches(pattern, model));
	}

	/*
	 * Greedy with one step back to the last star: linear for the patterns people write,
	 * never exponential.
	 */
	private static boolean matches(String pattern, String text) {
		int p = 0;
		int t = 0;
		int star = -1;
		int resume = 0;
		while (t < text.length()) {
			if (p < pattern.length() && pattern.charAt(p) == '*') {
				star = p++;
				resume = t;
			}
			else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
				p++;
				t++;
			}
			else if (star >= 0) {
				p = star + 1;
				t = ++resume;
			}
			else {
				return false;
			}
		}
		while (p < pattern.length() && pattern.charAt(p) == '*') {
			p++;
		}
		return p == pattern.length();
	}

}
