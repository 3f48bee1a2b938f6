package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.web.ProblemResponses;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;

/**
 * Auto-configuration of the problem responses of a web application.
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnBooleanProperty(name = { "llm.ratelimit.enabled", "llm.ratelimit.problem-responses" },
		matchIfMissing = true)
public final class LlmRateLimitProblemResponsesAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ProblemResponses llmRateLimitProblemResponses() {
		return new ProblemResponses();
	}

}
