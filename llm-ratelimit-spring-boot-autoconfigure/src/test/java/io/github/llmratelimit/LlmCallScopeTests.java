package io.github.llmratelimit;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

import static io.github.llmratelimit.LlmRateLimitAttributes.account;
import static io.github.llmratelimit.LlmRateLimitAttributes.key;
import static io.github.llmratelimit.LlmRateLimitAttributes.maxWait;
import static io.github.llmratelimit.LlmRateLimitAttributes.model;
import static io.github.llmratelimit.LlmRateLimitAttributes.priority;
import static io.github.llmratelimit.LlmRateLimitAttributes.provider;
import static io.github.llmratelimit.LlmRateLimitAttributes.tokens;
import static io.github.llmratelimit.LlmRateLimitAttributes.units;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link LlmCallScope}.
 */
class LlmCallScopeTests {

	private static final LlmCall CALL = LlmCall.to("p");

	private static final LlmCallScope SCOPE = LlmCallScope.of(model("m"), account("a"), key("k"),
			priority(Priority.BATCH), tokens(TokenEstimate.of(1, 2)), units(3), maxWait(Duration.ofSeconds(4)));

	private static final LlmCall FILLED = new LlmCall("p", "m", "a", "k", Priority.BATCH, TokenEstimate.of(1, 2), 3,
			Duration.ofSeconds(4), null);

	@Test
	void saysWhatACallLeavesOpen() {
		assertThat(LlmCallScope.applyTo(CALL, SCOPE.in(Context.empty()))).isEqualTo(FILLED);
		assertThat(SCOPE.during(() -> LlmCallScope.applyTo(CALL, Context.empty()))).isEqualTo(FILLED);
	}

	@Test
	void leavesAloneWhatACallSays() {
		LlmCall own = new LlmCall("p", "n", "b", "l", Priority.INTERACTIVE, TokenEstimate.of(5, 6), 7,
				Duration.ofSeconds(8), new Turn(9, Duration.ZERO));
		assertThat(LlmCallScope.applyTo(own, SCOPE.in(Context.empty()))).isEqualTo(own);
	}

	@Test
	void endsWithItsAction() {
		assertThatThrownBy(() -> SCOPE.during(() -> {
			throw new IllegalStateException("broken");
		})).hasMessage("broken");
		assertThat(LlmCallScope.applyTo(CALL, Context.empty())).isEqualTo(CALL);
	}

	@Test
	void theInnerOfTwoComesFirst() {
		LlmCallScope inner = LlmCallScope.of(model("inner"));
		LlmCall expected = FILLED.withModel("inner");
		assertThat(LlmCallScope.applyTo(CALL, inner.in(SCOPE.in(Context.empty())))).isEqualTo(expected);
		assertThat(SCOPE.during(() -> inner.during(() -> LlmCallScope.applyTo(CALL, Context.empty()))))
			.isEqualTo(expected);
		assertThat(SCOPE.during(() -> LlmCallScope.applyTo(CALL, inner.in(Context.empty())))).isEqualTo(expected);
	}

	@Test
	void theContextComesBeforeTheThread() {
		Context context = LlmCallScope.of(model("context")).in(Context.empty());
		assertThat(LlmCallScope.of(model("thread")).during(() -> LlmCallScope.applyTo(CALL, context)).model())
			.isEqualTo("context");
	}

	@Test
	void addsItsAttributesToThoseOfARequest() {
		Context context = LlmCallScope.of(provider("q"), model("m")).in(Context.empty());
		Map<String, Object> attributes = LlmCallScope.around(Map.of("other", 1), context);
		assertThat(LlmRateLimitAttributes.providerOf(attributes)).isEqualTo("q");
		assertThat(attributes).containsEntry("other", 1).hasSize(3);
		assertThat(LlmCallScope.around(Map.of("other", 1), Context.empty())).isEqualTo(Map.of("other", 1));
	}

}
