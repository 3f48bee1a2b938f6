package io.github.llmratelimit;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link ModelGroup} and of how a plan finds the group of a model.
 */
class ModelGroupTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			gpt-4o,        gpt-4o,               true
			gpt-4o,        gpt-4o-mini,          false
			gpt-4o,        my-gpt-4o,            false
			gpt-4o*,       gpt-4o,               true
			gpt-4o*,       gpt-4o-mini,          true
			*mini,         gpt-4o-mini,          true
			*mini,         gpt-4o-mini-2024,     false
			gpt-*-mini,    gpt-4o-mini,          true
			gpt-*-mini,    gpt-mini,             false
			*4o*mini*,     gpt-4o-x-mini-2024,   true
			*4o*mini*,     gpt-mini-4o,          false
			*a*b,          xaxbxab,              true
			*a*b,          xaxbxa,               false
			*,             anything,             true
			**,            anything,             true
			gpt.4o,        gpt-4o,               false
			GPT-4o,        gpt-4o,               false
			""")
	void matchesNamesWithStars(String pattern, String model, boolean matches) {
		assertThat(group("group", pattern).contains(model)).isEqualTo(matches);
	}

	@Test
	void matchesAnEmptyName() {
		assertThat(group("group", "*").contains("")).isTrue();
		assertThat(group("group", "a").contains("")).isFalse();
	}

	@Test
	void isQuickForPatternsOfManyStars() {
		assertThat(group("group", "*a".repeat(50) + "b").contains("a".repeat(5000))).isFalse();
	}

	@Test
	void containsWhatAnyOfItsPatternsMatches() {
		ModelGroup group = group("group", "gpt-4o", "o3*");
		assertThat(group.contains("o3-mini")).isTrue();
		assertThat(group.contains("gpt-4")).isFalse();
	}

	@Test
	void firstGroupThatMatchesWins() {
		ProviderPlan plan = ProviderPlan.of("test", LimitPlan.UNLIMITED, group("small", "*mini"), group("gpt", "gpt*"));
		assertThat(groupOf(plan, "gpt-4o-mini")).isEqualTo("small");
		assertThat(groupOf(plan, "gpt-4o")).isEqualTo("gpt");
		assertThat(groupOf(plan, "o3")).isEqualTo(ProviderPlan.ANY_MODEL);
		assertThat(plan.scopeOf(LlmCall.to("test")).modelGroup()).isEqualTo(ProviderPlan.ANY_MODEL);
	}

	@Test
	void needsAPattern() {
		assertThatIllegalArgumentException().isThrownBy(() -> group("group"))
			.withMessage("group: no model name to match (expected: at least one)");
	}

	private static String groupOf(ProviderPlan plan, String model) {
		return plan.scopeOf(LlmCall.to("test").withModel(model)).modelGroup();
	}

	private static ModelGroup group(String name, String... match) {
		return new ModelGroup(name, List.of(match), LimitPlan.UNLIMITED);
	}

}
