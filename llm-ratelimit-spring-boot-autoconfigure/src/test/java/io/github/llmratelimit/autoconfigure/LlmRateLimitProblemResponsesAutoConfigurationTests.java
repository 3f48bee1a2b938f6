package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.web.ProblemResponses;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LlmRateLimitProblemResponsesAutoConfiguration} where there is nobody
 * to answer.
 */
class LlmRateLimitProblemResponsesAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitProblemResponsesAutoConfiguration.class));

	@Test
	void isAbsentInApplicationThatServesNobody() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ProblemResponses.class));
	}

	@Test
	void isAbsentWithoutSpringWeb() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.web", "org.springframework.http"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("llmRateLimitProblemResponses"));
	}

}
