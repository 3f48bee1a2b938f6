package io.github.llmratelimit.provider.vendor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the page that tells users what is understood of each provider.
 */
class ProvidersPageTests {

	@ParameterizedTest
	@MethodSource("dialects")
	void tellsOfEveryDialectAndItsHosts(String dialect) throws IOException {
		String section = section(dialect);
		assertThat(Dialects.named(dialect).baseUrls())
			.allSatisfy((url) -> assertThat(section).contains("`" + url.replaceFirst("https?://", "") + "`"));
	}

	@ParameterizedTest
	@MethodSource("dialects")
	void listsEveryDialectAtAGlance(String dialect) throws IOException {
		List<String> cells = List.of(line("At a glance", "[`" + dialect + "`]").split(" \\| "));
		assertThat(cells).hasSize(6);
		assertThat(cells.get(2)).matches(Dialects.named(dialect).givesBack() ? "yes.*|–" : "no");
	}

	@ParameterizedTest
	@MethodSource("dialects")
	void tellsWhereEachModelHasLimitsOfItsOwn(String dialect) throws IOException {
		String line = line("What holds for all", "announced limits");
		assertThat(line.contains("`" + dialect + "`")).isEqualTo(Dialects.named(dialect).separatesModels());
	}

	static Set<String> dialects() {
		return Dialects.builtIn().keySet();
	}

	private static String line(String title, String part) throws IOException {
		return section(title).lines().filter((line) -> line.contains(part)).findFirst().orElse("");
	}

	private static String section(String title) throws IOException {
		String page = Files.readString(Path.of("../docs/providers.md"));
		int begin = page.indexOf("\n## " + title + "\n");
		assertThat(begin).as(title).isPositive();
		int end = page.indexOf("\n## ", begin + 1);
		return page.substring(begin, (end > 0) ? end : page.length());
	}

}
