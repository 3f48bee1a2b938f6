package io.github.llmratelimit.jtokkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import io.github.llmratelimit.token.HeuristicTokenEstimator;
import io.github.llmratelimit.token.RequestFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class JtokkitTokenEstimatorTests {

	private static final String TEXT = "公司决定从下个月开始调整产品价格，请你写一封邮件通知所有客户。";

	/** Three for the answer that begins. */
	private static final int BESIDES = 3;

	private static final JtokkitTokenEstimator LOADED = new JtokkitTokenEstimator(Runnable::run);

	@ParameterizedTest
	@CsvSource({ "gpt-4o, O200K_BASE", "gpt-4-turbo, CL100K_BASE", "text-embedding-3-small, CL100K_BASE",
			"openai/gpt-3.5-turbo, CL100K_BASE", "gpt-4.1-mini, O200K_BASE", "qwen-max, O200K_BASE" })
	void countsByTheVocabularyOfTheModel(String model, EncodingType type) {
		assertThat(LOADED.inputTokens(prompt(model, TEXT))).isEqualTo(BESIDES + count(type, TEXT));
	}

	@Test
	void vocabulariesDiffer() {
		assertThat(count(EncodingType.CL100K_BASE, TEXT)).isGreaterThan(count(EncodingType.O200K_BASE, TEXT));
	}

	@Test
	void countsLongTextsPieceByPiece() {
		String prose = "The lighthouse keeper had counted ships for forty years. ".repeat(50);
		assertThat(LOADED.inputTokens(prompt("gpt-4o", prose)))
			.isEqualTo(BESIDES + count(EncodingType.O200K_BASE, prose));
		String chinese = TEXT.repeat(50);
		long exact = count(EncodingType.O200K_BASE, chinese);
		assertThat(LOADED.inputTokens(prompt("gpt-4o", chinese))).isCloseTo(BESIDES + exact, within(exact / 100));
		String emoji = "a" + "😀".repeat(600);
		long faces = count(EncodingType.O200K_BASE, emoji);
		assertThat(LOADED.inputTokens(prompt("gpt-4o", emoji))).isCloseTo(BESIDES + faces, within(8L));
	}

	@Test
	void leavesLongPromptsToTheHeuristic() {
		RequestFacts request = prompt("gpt-4o", "word ".repeat(50_000));
		List<Runnable> loads = new ArrayList<>();
		assertThat(new JtokkitTokenEstimator(loads::add).inputTokens(request)).isEqualTo(heuristic(request));
		assertThat(loads).as("nothing to load for").isEmpty();
	}

	@Test
	void theHeuristicAnswersUntilTheVocabularyIsThere() {
		List<Runnable> loads = new ArrayList<>();
		JtokkitTokenEstimator estimator = new JtokkitTokenEstimator(loads::add);
		RequestFacts request = prompt("gpt-4o", TEXT);
		assertThat(estimator.inputTokens(request)).isEqualTo(heuristic(request));
		assertThat(estimator.inputTokens(request)).isEqualTo(heuristic(request));
		assertThat(loads).as("is loaded once").hasSize(1);
		loads.get(0).run();
		assertThat(estimator.inputTokens(request)).isEqualTo(BESIDES + count(EncodingType.O200K_BASE, TEXT))
			.isNotEqualTo(heuristic(request));
	}

	@Test
	void knowsNothingOfUnreadableRequests() {
		assertThat(LOADED.inputTokens(RequestFacts.UNREADABLE)).isZero();
	}

	private static long heuristic(RequestFacts request) {
		return new HeuristicTokenEstimator().inputTokens(request);
	}

	private static long count(EncodingType type, String text) {
		return Encodings.newLazyEncodingRegistry().getEncoding(type).countTokensOrdinary(text);
	}

	private static RequestFacts prompt(String model, String text) {
		return RequestFacts
			.scan("{\"model\":\"%s\",\"prompt\":\"%s\"}".formatted(model, text).getBytes(StandardCharsets.UTF_8));
	}

}
