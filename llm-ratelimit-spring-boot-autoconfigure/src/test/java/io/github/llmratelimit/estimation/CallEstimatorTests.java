package io.github.llmratelimit.estimation;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.admission.AdmissionController;
import io.github.llmratelimit.estimation.EstimateOptions.Expectation;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.VirtualTime;
import io.github.llmratelimit.token.RequestFacts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class CallEstimatorTests {

	private static final int MEASURED = 100;

	private final Provider provider = provider("deepseek");

	private CallEstimator estimator = estimator(EstimateOptions.DEFAULT);

	private static Provider provider(String dialect) {
		return new Provider(dialect, Dialects.named(dialect), List.of(URI.create("https://" + dialect + ".example")));
	}

	private static CallEstimator estimator(EstimateOptions options) {
		List<ProviderPlan> plans = List.of(
				ProviderPlan.of("deepseek", LimitPlan.UNLIMITED,
						new ModelGroup("small", List.of("small-*"), LimitPlan.UNLIMITED)),
				ProviderPlan.of("openai", LimitPlan.UNLIMITED));
		return new CallEstimator((request) -> MEASURED, plans, Map.of("deepseek", options, "openai", options));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{}                        | 300
			{"n": 2}                  | 600
			{"max_tokens": 50}        | 50
			{"max_tokens": 50, "n": 2} | 100
			{"max_tokens": 64000}     | 300
			""")
	void expectsThreeTimesThePromptWhereNothingIsKnown(String body, long output) {
		assertThat(estimate("m", body)).isEqualTo(new TokenEstimate(100, output, true, MEASURED));
	}

	@Test
	void expectsTheQuantileOfTheLastAnswers() {
		for (int output = 1; output <= 40; output++) {
			complete("m", output);
		}
		assertThat(estimate("m", "{}").output()).as("18th of 21 to 40").isEqualTo(38);
		assertThat(estimate("m", "{\"max_tokens\": 30}").output()).as("no more than it may").isEqualTo(30);
	}

	@Test
	void expectsTheMeanIfAsked() {
		this.estimator = estimator(new EstimateOptions(null, 4, Expectation.MEAN, 0.9, 3, null));
		for (int output : new int[] { 1000, 10, 20, 30, 41 }) {
			complete("m", output);
		}
		assertThat(estimate("m", "{}").output()).isEqualTo(26);
	}

	@Test
	void oneAnswerIsBetterThanNone() {
		complete("m", 7);
		assertThat(estimate("m", "{}").output()).isEqualTo(7);
	}

	@Test
	void learnsTheFactorOfTheInput() {
		for (int i = 0; i < 4; i++) {
			complete("m", new TokenUsage(140, 10));
			assertThat(estimate("m", "{}").input()).as("too few to believe").isEqualTo(100);
		}
		complete("m", new TokenUsage(140, 10));
		assertThat(estimate("m", "{}")).isEqualTo(new TokenEstimate(140, 10, true, MEASURED));
	}

	@Test
	void theFactorDoesNotMultiplyItself() {
		for (int i = 0; i < 100; i++) {
			complete("m", new TokenUsage(140, 10));
		}
		assertThat(estimate("m", "{}").input()).isEqualTo(140);
	}

	@Test
	void outliersAndCachedPromptsDoNotMoveTheFactor() {
		for (int i = 0; i < 20; i++) {
			complete("m", new TokenUsage((i % 5 == 0) ? 3 : (i % 5 == 1) ? 90_000 : 110, 10));
		}
		assertThat(estimate("m", "{}").input()).isEqualTo(110);
	}

	@ParameterizedTest
	@CsvSource({ "10, 50", "900, 200" })
	void theFactorIsBounded(long used, long estimated) {
		for (int i = 0; i < 20; i++) {
			complete("m", new TokenUsage(used, 10));
		}
		assertThat(estimate("m", "{}").input()).isEqualTo(estimated);
	}

	@Test
	void learnsNoFactorFromStatedTokens() {
		for (int i = 0; i < 20; i++) {
			complete("m", TokenEstimate.of(1, 1), CallOutcome.SUCCESS, new TokenUsage(150, 10));
		}
		assertThat(estimate("m", "{}")).isEqualTo(new TokenEstimate(100, 10, true, MEASURED));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SUCCESS")
	void learnsOnlyFromAnswers(CallOutcome outcome) {
		complete("m", estimate("m", "{}"), outcome, new TokenUsage(100, 7));
		assertThat(estimate("m", "{}").output()).isEqualTo(300);
	}

	@Test
	void learnsNothingWithoutUsage() {
		complete("m", estimate("m", "{}"), CallOutcome.SUCCESS, null);
		assertThat(estimate("m", "{}").output()).isEqualTo(300);
	}

	@Test
	void learnsNothingFromATotal() {
		complete("m", 7);
		for (int i = 0; i < 20; i++) {
			complete("m", TokenUsage.ofTotal(180));
		}
		assertThat(estimate("m", "{}")).isEqualTo(new TokenEstimate(100, 7, true, MEASURED));
	}

	@Test
	void learnsThatThereIsNoAnswer() {
		complete("m", new TokenUsage(100, 0));
		assertThat(estimate("m", "{}").output()).isZero();
	}

	@Test
	void learnsNothingIfNotAsked() {
		this.estimator = estimator(new EstimateOptions(null, 0, Expectation.QUANTILE, 0.9, 3, null));
		complete("m", 7);
		assertThat(estimate("m", "{}").output()).isEqualTo(300);
	}

	@Test
	void modelsOfAGroupLearnTogetherAndOthersApart() {
		complete("small-1", 7);
		complete("large", 70);
		assertThat(estimate("small-2", "{}").output()).isEqualTo(7);
		assertThat(estimate("large", "{}").output()).isEqualTo(70);
		assertThat(estimate("other", "{}").output()).isEqualTo(300);
		assertThat(estimate(null, "{}").output()).isEqualTo(300);
	}

	@Test
	void namesOfModelsDoNotFillTheMemory() {
		for (int i = 0; i < 100; i++) {
			complete("model-" + i, 7);
		}
		complete("one-too-many", 70);
		complete("model-5", 8);
		assertThat(estimate("model-4", "{}").output()).isEqualTo(7);
		assertThat(estimate("model-5", "{}").output()).isEqualTo(8);
		assertThat(estimate("another", "{}").output()).as("shared by all that came too late").isEqualTo(70);
	}

	@Test
	void whatIsChargedAtAdmissionIsNotLearned() {
		Provider openai = provider("openai");
		RequestFacts bounded = facts("{\"max_tokens\": 1000}");
		TokenEstimate before = this.estimator.estimate(openai, "m", bounded);
		this.estimator.onCompleted(permit(LlmCall.to("openai").withModel("m").withTokens(before)), CallOutcome.SUCCESS,
				new TokenUsage(100, 5));
		assertThat(this.estimator.estimate(openai, "m", bounded)).isEqualTo(before)
			.isEqualTo(new TokenEstimate(100, 900, false, MEASURED));
		assertThat(this.estimator.estimate(openai, "m", facts("{}")).output()).as("unbounded").isEqualTo(5);
	}

	@ParameterizedTest
	@CsvSource({ "INPUT_PLUS_MAX_OUTPUT, 1000, false", "INPUT_PLUS_LIKELY_OUTPUT, 300, true", "INPUT, 0, false" })
	void aReservationReplacesThatOfTheDialect(Charge charge, long output, boolean guess) {
		this.estimator = estimator(new EstimateOptions(null, 20, Expectation.QUANTILE, 0.9, 3, charge));
		assertThat(estimate("m", "{\"max_tokens\": 1000}")).isEqualTo(new TokenEstimate(100, output, guess, MEASURED));
	}

	@Test
	void aProviderCanHaveAnEstimatorOfItsOwn() {
		this.estimator = estimator(new EstimateOptions((request) -> 5, 20, Expectation.QUANTILE, 0.9, 2, null));
		assertThat(estimate("m", "{}")).isEqualTo(new TokenEstimate(5, 10, true, 5));
	}

	@Test
	void estimatesProvidersThatNobodyHasPlanned() {
		Provider groq = provider("groq");
		assertThat(this.estimator.estimate(groq, "m", facts("{}")).output()).isEqualTo(300);
		this.estimator.onCompleted(permit(LlmCall.to("groq")), CallOutcome.SUCCESS, new TokenUsage(1, 1));
		assertThat(this.estimator.estimate(groq, "m", facts("{}")).output()).isEqualTo(300);
	}

	private void complete(String model, long output) {
		complete(model, new TokenUsage(100, output));
	}

	private void complete(String model, TokenUsage usage) {
		complete(model, estimate(model, "{}"), CallOutcome.SUCCESS, usage);
	}

	private void complete(String model, TokenEstimate tokens, CallOutcome outcome, @Nullable TokenUsage usage) {
		LlmCall call = LlmCall.to("deepseek").withModel(model).withTokens(tokens);
		this.estimator.onCompleted(permit(call), outcome, usage);
	}

	private TokenEstimate estimate(@Nullable String model, String body) {
		return this.estimator.estimate(this.provider, model, facts(body));
	}

	private static RequestFacts facts(String body) {
		return RequestFacts.scan(body.getBytes(StandardCharsets.UTF_8));
	}

	private static Permit permit(LlmCall call) {
		VirtualTime time = new VirtualTime();
		AdmissionController limiter = new AdmissionController(
				List.of(ProviderPlan.of(call.provider(), LimitPlan.UNLIMITED)), new LocalLimitStore(time), time,
				List.of());
		return Objects.requireNonNull(limiter.acquire(call).block());
	}

}
