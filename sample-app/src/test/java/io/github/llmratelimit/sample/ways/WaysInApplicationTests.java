package io.github.llmratelimit.sample.ways;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WaysInApplication}, over more calls than a minute admits.
 */
@ExtendWith(OutputCaptureExtension.class)
class WaysInApplicationTests {

	private static final Pattern SUMMARY = Pattern
		.compile("ways-in ways=(\\d+) calls=(\\d+) requests=(\\d+) refused=0 counted-once=1");

	@Test
	void everyCallIsOneRequestAndCountedOnce(CapturedOutput output) {
		assertThat(WaysInApplication.run("--ways-in", "--ways-in.calls=20")).as(output.getOut()).isZero();
		Matcher summary = SUMMARY.matcher(output.getOut().stripTrailing().lines().reduce("", (before, line) -> line));
		assertThat(summary.matches()).as(output.getOut()).isTrue();
		int ways = Integer.parseInt(summary.group(1));
		assertThat(ways).isGreaterThanOrEqualTo(26);
		assertThat(summary.group(2)).isEqualTo(String.valueOf(20 * ways));
		assertThat(summary.group(3)).isEqualTo(summary.group(2));
	}

}
