package io.github.llmratelimit.simulator.dialect;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GoDuration}.
 */
class GoDurationTests {

	@ParameterizedTest
	@CsvSource({ "PT0S,0s", "PT0.000000001S,1ms", "PT0.017S,17ms", "PT0.456000001S,457ms", "PT0.9999S,1s",
			"PT1.5S,1.5s", "PT20S,20s", "PT6.379S,6.379s", "PT1M,1m0s", "PT1M30S,1m30s", "PT6M,6m0s", "PT1H,1h0m0s",
			"PT23H47M36.648S,23h47m36.648s", "PT59.9999S,1m0s" })
	void formatsLikeGoAndRoundsUp(Duration duration, String expected) {
		assertThat(GoDuration.format(duration.toNanos())).isEqualTo(expected);
	}

}
