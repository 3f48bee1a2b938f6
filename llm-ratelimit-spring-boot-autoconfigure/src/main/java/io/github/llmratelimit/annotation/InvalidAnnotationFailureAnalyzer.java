package io.github.llmratelimit.annotation;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says which annotation is wrong, and what to write instead.
 */
final class InvalidAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidAnnotationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidAnnotationException cause) {
		String description = "A method cannot be limited:%n%n    Method: %s%n    Annotation: @LlmRateLimited%n    Attribute: %s%n    Value: \"%s\"%n"
			.formatted(cause.annotated(), cause.attribute(), cause.value());
		return new FailureAnalysis(description,
				"Set %s of the annotation to %s.".formatted(cause.attribute(), cause.remedy()), cause);
	}

}
