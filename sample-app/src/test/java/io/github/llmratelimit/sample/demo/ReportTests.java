package io.github.llmratelimit.sample.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.github.llmratelimit.sample.demo.Result.Answered;
import io.github.llmratelimit.simulator.LowerBound;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Report}, {@link Result} and {@link Progress}.
 */
class ReportTests {

	private static final LowerBound BOUND = new LowerBound(Duration.ofSeconds(3), Duration.ZERO, Duration.ofSeconds(3));

	private static final Result RESULT = new Result("starter", 3,
			List.of(new Answered(Duration.ofSeconds(2), 10), new Answered(Duration.ofSeconds(4), 20)), 5);

	@Test
	void summarizesInOneLine() {
		assertThat(printed((report) -> report.summary(RESULT, BOUND))).isEqualToIgnoringNewLines(
				"demo calls=3 succeeded=2 throttled=5 failed=1 makespan=4.00 bound=3.00 utilization=0.750");
	}

	@Test
	void tabulates() {
		assertThat(printed((report) -> report.table(List.of(RESULT), BOUND)))
			.containsPattern("starter +not done +3\\.00 s +5 +66\\.7 % +3\\.00 s");
	}

	@Test
	void survivesNoAnswerAtAll() {
		Result nothing = new Result("starter", 3, List.of(), 0);
		assertThat(printed((report) -> report.summary(nothing, BOUND))).contains("succeeded=0", "utilization=0.000");
	}

	@Test
	void drawsProgress() {
		assertThat(new Progress("starter", 300, 100, 7, Duration.ofSeconds(10)).bar())
			.isEqualTo("starter            [##########....................]  100/300   10.0/s  429s 7      ETA 20 s");
		assertThat(new Progress("starter", 300, 0, 7, Duration.ZERO).bar()).endsWith("ETA -");
	}

	private static String printed(Consumer<Report> print) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		print.accept(new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8)));
		return bytes.toString(StandardCharsets.UTF_8);
	}

}
