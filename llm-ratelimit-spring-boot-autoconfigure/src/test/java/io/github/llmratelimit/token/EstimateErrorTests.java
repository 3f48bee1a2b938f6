package io.github.llmratelimit.token;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import io.github.llmratelimit.token.HeldOutTexts.HeldOut;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How far the heuristic is from the real count, on texts that it was not fitted to.
 */
class EstimateErrorTests {

	private static final JsonMapper JSON = new JsonMapper();

	private static final EncodingRegistry ENCODINGS = Encodings.newLazyEncodingRegistry();

	private static final Map<Vocabulary, EncodingType> TYPES = Map.of(Vocabulary.CL100K, EncodingType.CL100K_BASE,
			Vocabulary.O200K, EncodingType.O200K_BASE);

	@ParameterizedTest
	@EnumSource
	void isWithin15PercentOnAverageAndNeverFarBelow(Vocabulary vocabulary) {
		errors(vocabulary).forEach((category, errors) -> {
			assertThat(errors).as("enough texts of " + category).hasSizeGreaterThanOrEqualTo(8);
			assertThat(errors.values().stream().mapToDouble(Math::abs).average().orElseThrow())
				.as("%s, %s: average error", vocabulary, category)
				.isLessThanOrEqualTo(0.15);
			assertThat(errors).as("%s, %s: lowest error", vocabulary, category)
				.allSatisfy((text, error) -> assertThat(error).as(text).isGreaterThanOrEqualTo(-0.25));
		});
	}

	@ParameterizedTest
	@EnumSource
	void theTableInTheDocumentationIsOfTheseTexts(Vocabulary vocabulary) throws IOException {
		String documentation = Files.readString(Path.of("..", "docs", "benchmarks.md"));
		errors(vocabulary)
			.forEach((category, errors) -> assertThat(documentation).contains(row(vocabulary, category, errors)));
	}

	private static String row(Vocabulary vocabulary, String category, Map<String, Double> errors) {
		DoubleSummaryStatistics statistics = errors.values()
			.stream()
			.mapToDouble((error) -> 100 * error)
			.summaryStatistics();
		double average = errors.values().stream().mapToDouble((error) -> 100 * Math.abs(error)).average().orElseThrow();
		return String.format(Locale.ROOT, "| %s | %s | %d | %.1f %% | %+.1f %% | %+.1f %% | %+.1f %% |", category,
				vocabulary.name().toLowerCase(Locale.ROOT), errors.size(), average, statistics.getAverage(),
				statistics.getMin(), statistics.getMax());
	}

	private static Map<String, Map<String, Double>> errors(Vocabulary vocabulary) {
		Encoding encoding = ENCODINGS.getEncoding(TYPES.get(vocabulary));
		return HeldOutTexts.all()
			.stream()
			.collect(Collectors.groupingBy(HeldOut::category, LinkedHashMap::new, Collectors.toMap(HeldOut::title,
					(text) -> error(text.text(), vocabulary, encoding), (a, b) -> a, LinkedHashMap::new)));
	}

	private static double error(String text, Vocabulary vocabulary, Encoding encoding) {
		byte[] body = JSON.writeValueAsString(Map.of("prompt", text)).getBytes(StandardCharsets.UTF_8);
		return RequestFacts.scan(body).text().tokens(vocabulary) / encoding.countTokensOrdinary(text) - 1;
	}

}
