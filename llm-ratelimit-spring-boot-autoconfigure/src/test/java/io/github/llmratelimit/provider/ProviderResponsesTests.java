package io.github.llmratelimit.provider;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.testing.RealResponse;
import io.github.llmratelimit.testing.RealResponse.Expected;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real responses, each with the right reading.
 */
class ProviderResponsesTests {

	private static final Set<CallOutcome> RETRIED = Set.of(CallOutcome.THROTTLED, CallOutcome.OVERLOADED);

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void readsResponse(RealResponse row) {
		assertThat(row.expected()).contains(asExpected(row.reading()));
	}

	static Stream<RealResponse> readsResponse() {
		return Stream.of("responses.json", "western-responses.json").flatMap(RealResponse::in);
	}

	private static Expected asExpected(ThrottleSignal signal) {
		Duration hint = signal.hint();
		boolean soon = Objects.requireNonNullElse(hint, Duration.ZERO).compareTo(Duration.ofHours(1)) <= 0;
		return new Expected(RealResponse.category(signal), RETRIED.contains(signal.outcome()) && soon,
				(hint != null) ? hint.plusNanos(999_999).toMillis() : null);
	}

}
