package io.github.llmratelimit.sample.demo;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DemoApplication} with few calls: so few that all fit into a minute, or
 * so little time that they cannot be done.
 */
@ExtendWith(OutputCaptureExtension.class)
class DemoApplicationTests {

	private static final Pattern SUMMARY = Pattern.compile("demo calls=(\\d+) succeeded=(\\d+) throttled=0 "
			+ "failed=(\\d+) makespan=\\d+\\.\\d+ bound=(\\d+\\.\\d+) utilization=\\d\\.\\d+");

	@Test
	void endsWithSummaryOfStarter(CapturedOutput output) {
		int exitCode = DemoApplication.run("--demo", "--demo.calls=40", "--demo.minute=6s", "--demo.deadline=2m");
		assertThat(exitCode).isZero();
		Matcher summary = SUMMARY.matcher(lastLine(output));
		assertThat(summary.matches()).as(lastLine(output)).isTrue();
		assertThat(summary.group(1)).isEqualTo("40");
		assertThat(summary.group(2)).isEqualTo("40");
		assertThat(summary.group(3)).isEqualTo("0");
		assertThat(Double.parseDouble(summary.group(4))).isPositive();
		assertThat(output).contains("fixed interval", "exponential", "Retry-After", "starter");
	}

	@Test
	void failsWhenStarterIsNotDone() {
		int exitCode = DemoApplication.run("--demo", "--demo.calls=200", "--demo.minute=60s", "--demo.deadline=1s");
		assertThat(exitCode).isOne();
	}

	private static String lastLine(CapturedOutput output) {
		return output.getOut().stripTrailing().lines().reduce("", (before, line) -> line);
	}

}
