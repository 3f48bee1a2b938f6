package io.github.llmratelimit.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import io.github.llmratelimit.token.HeldOutTexts.HeldOut;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How far the heuristic is from the real count, on texts that no rate was fitted to.
 */
class EstimateErrorTests {

	private static final JsonMapper JSON = new JsonMapper();

	private static final EncodingRegistry ENCODINGS = Encodings.newLazyEncodingRegistry();

	private static final Map<Vocabulary, EncodingType> TYPES = Map.of(Vocabulary.CL100K, EncodingType.CL100K_BASE,
			Vocabulary.O200K, EncodingType.O200K_BASE);

	@ParameterizedTest
	@MethodSource("sets")
	void isWithin15PercentOnAverageExceptWhereItIsKnownNotToBe(HeldOutTexts texts, Vocabulary vocabulary) {
		List<String> missed = new ArrayList<>();
		errors(texts, vocabulary).forEach((category, errors) -> {
			assertThat(errors).as("enough texts of " + category).hasSizeGreaterThanOrEqualTo(8);
			if (average(errors) > 0.15) {
				missed.add(category);
			}
		});
		assertThat(missed).as("%s, %s: average error", texts, vocabulary).isEqualTo(texts.missedOnAverage());
	}

	@ParameterizedTest
	@MethodSource("sets")
	void isFarBelowOnlyWhereItIsKnownToBe(HeldOutTexts texts, Vocabulary vocabulary) {
		List<String> farBelow = errors(texts, vocabulary).values()
			.stream()
			.flatMap((errors) -> errors.entrySet().stream())
			.filter((error) -> error.getValue() < -0.25)
			.map(Map.Entry::getKey)
			.toList();
		assertThat(farBelow).as("%s, %s: more than 25 %% too low", texts, vocabulary).isEqualTo(texts.missed());
	}

	@ParameterizedTest
	@MethodSource("sets")
	void theTableInTheDocumentationIsOfTheseTexts(HeldOutTexts texts, Vocabulary vocabulary) throws IOException {
		String documentation = Files.readString(Path.of("..", "docs", "benchmarks.md"));
		errors(texts, vocabulary).forEach(
				(category, errors) -> assertThat(documentation).contains(row(texts, vocabulary, category, errors)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" })
	void isWithin20PercentForLettersAtRandom(String alphabet) {
		StringBuilder letters = new StringBuilder();
		new Random(11).ints(50_000, 0, alphabet.length()).forEach((i) -> letters.append(alphabet.charAt(i)));
		for (Vocabulary vocabulary : Vocabulary.values()) {
			Encoding encoding = ENCODINGS.getEncoding(TYPES.get(vocabulary));
			double tokens = 0;
			for (int i = 0; i < letters.length(); i += 1000) {
				tokens += encoding.countTokensOrdinary(letters.substring(i, i + 1000));
			}
			assertThat(estimate(letters.toString(), vocabulary) / tokens).isBetween(0.8, 1.2);
		}
	}

	private static Stream<Arguments> sets() {
		return Arrays.stream(HeldOutTexts.values())
			.flatMap(
					(texts) -> Arrays.stream(Vocabulary.values()).map((vocabulary) -> Arguments.of(texts, vocabulary)));
	}

	private static String row(HeldOutTexts texts, Vocabulary vocabulary, String category, Map<String, Double> errors) {
		DoubleSummaryStatistics statistics = errors.values()
			.stream()
			.mapToDouble((error) -> 100 * error)
			.summaryStatistics();
		return String.format(Locale.ROOT, "| %s | %s | %s | %d | %.1f %% | %+.1f %% | %+.1f %% | %+.1f %% |",
				lowerCase(texts), category, lowerCase(vocabulary), errors.size(), 100 * average(errors),
				statistics.getAverage(), statistics.getMin(), statistics.getMax());
	}

	private static String lowerCase(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

	private static Map<String, Map<String, Double>> errors(HeldOutTexts texts, Vocabulary vocabulary) {
		Encoding encoding = ENCODINGS.getEncoding(TYPES.get(vocabulary));
		return texts.all()
			.stream()
			.collect(Collectors.groupingBy(HeldOut::category, LinkedHashMap::new, Collectors.toMap(HeldOut::title,
					(text) -> error(text.text(), vocabulary, encoding), (a, b) -> a, LinkedHashMap::new)));
	}

	private static double average(Map<String, Double> errors) {
		return errors.values().stream().mapToDouble(Math::abs).average().orElseThrow();
	}

	private static double error(String text, Vocabulary vocabulary, Encoding encoding) {
		return estimate(text, vocabulary) / encoding.countTokensOrdinary(text) - 1;
	}

	private static double estimate(String text, Vocabulary vocabulary) {
		byte[] body = JSON.writeValueAsString(Map.of("prompt", text)).getBytes(StandardCharsets.UTF_8);
		return RequestFacts.scan(body).text().tokens(vocabulary);
	}

}
