package io.github.llmratelimit.limit;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Claim}.
 */
class ClaimTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			# reserved 100 + 50, really used 80 + 10
			SUCCESS,     TOKENS,        true,   false, -60
			SUCCESS,     INPUT_TOKENS,  true,   false, -20
			SUCCESS,     OUTPUT_TOKENS, true,   false, -40
			SUCCESS,     REQUESTS,      true,   false, 0
			SUCCESS,     TOKENS,        false,  false, 0
			SUCCESS,     TOKENS,        false,  true,  -60
			CANCELLED,   TOKENS,        true,   false, -60
			FAILED,      TOKENS,        true,   false, -60
			THROTTLED,   TOKENS,        false,  false, -150
			THROTTLED,   REQUESTS,      false,  false, 0
			NOT_SENT,    TOKENS,        true,   false, -150
			NOT_SENT,    REQUESTS,      true,   false, -1
			""")
	void isCorrectedByTheOutcome(CallOutcome outcome, Counted counted, boolean givesBack, boolean guess, long delta) {
		assertThat(claim(100, 50, guess).correction(counted, outcome, new TokenUsage(80, 10), givesBack))
			.isEqualTo(delta);
	}

	@ParameterizedTest
	@CsvSource({ "SUCCESS, 0", "FAILED, 0", "CANCELLED, 0", "REJECTED, -150" })
	void countsAsUsedIfNoUsageIsKnown(CallOutcome outcome, long delta) {
		assertThat(claim(100, 50, false).correction(Counted.TOKENS, outcome, null, true)).isEqualTo(delta);
	}

	@Test
	void isRaisedToThePromptEvenIfTheChargeIsFinal() {
		TokenUsage longPrompt = new TokenUsage(180, 10);
		assertThat(claim(100, 50, false).correction(Counted.TOKENS, CallOutcome.SUCCESS, longPrompt, false))
			.isEqualTo(30);
		assertThat(claim(100, 50, false).correction(Counted.INPUT_TOKENS, CallOutcome.SUCCESS, longPrompt, false))
			.isEqualTo(80);
		assertThat(claim(100, 50, false).correction(Counted.OUTPUT_TOKENS, CallOutcome.SUCCESS, longPrompt, false))
			.isZero();
	}

	@Test
	void endsOnce() {
		Claim claim = claim(1, 1, false);
		assertThat(claim.end()).isFalse();
		claim.grant(claim.scope(), 7);
		assertThat(claim.end()).isTrue();
		assertThat(claim.end()).isFalse();
		assertThat(claim.admittedAt()).isEqualTo(7);
	}

	private static Claim claim(long input, long output, boolean guess) {
		LlmCall call = LlmCall.to("p").withTokens(new TokenEstimate(input, output, guess));
		return new Claim(call, new LimitScope("p", "default", "*"));
	}

}
