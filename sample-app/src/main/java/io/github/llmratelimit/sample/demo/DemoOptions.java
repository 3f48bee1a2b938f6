package io.github.llmratelimit.sample.demo;

import java.time.Duration;

import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.OutputTokens;
import io.github.llmratelimit.simulator.SimulatorOptions;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What is compared: the properties {@code demo.*} in {@code demo.yml}.
 *
 * @param calls how many calls each strategy has to get through
 * @param minute length of the provider's minute
 * @param deadline when a strategy is stopped
 * @param refusedCount whether refused calls spend requests per minute
 */
@ConfigurationProperties("demo")
record DemoOptions(int calls, Duration minute, Duration deadline, boolean refusedCount) {

	static final int REQUESTS_PER_MINUTE = 60;

	static final long TOKENS_PER_MINUTE = 100_000;

	/** The provider every strategy meets. */
	SimulatorOptions provider() {
		return SimulatorOptions.builder()
			.requestsPerMinute(REQUESTS_PER_MINUTE)
			.tokensPerMinute(TOKENS_PER_MINUTE)
			.minute(this.minute)
			.refusedCount(this.refusedCount)
			.networkDelay(Delay.uniform(scaled(Duration.ofMillis(10)), scaled(Duration.ofMillis(60))))
			.latency(Delay.uniform(scaled(Duration.ofMillis(500)), scaled(Duration.ofMillis(1500))))
			.outputTokens(OutputTokens.lognormal(400, 0.8))
			.build();
	}

	/** A time in the provider's shortened world. */
	Duration scaled(Duration real) {
		return Duration
			.ofNanos((long) ((double) real.toNanos() * this.minute.toNanos() / Duration.ofMinutes(1).toNanos()));
	}

}
