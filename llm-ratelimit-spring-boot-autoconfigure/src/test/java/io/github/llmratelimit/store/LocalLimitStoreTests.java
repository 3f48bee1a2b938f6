package io.github.llmratelimit.store;

import java.time.Duration;
import java.util.Map;

import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.testing.VirtualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link LocalLimitStore}.
 */
class LocalLimitStoreTests extends LimitStoreContract {

	private final VirtualTime time = new VirtualTime();

	@Override
	protected LimitStore createStore() {
		return new LocalLimitStore(this.time);
	}

	@Override
	protected void advance(Duration duration) {
		this.time.advance(duration);
	}

	@Test
	void decidesAtOnce() {
		LimitStore store = createStore();
		ProviderPlan plan = ProviderPlan.of("test", LimitPlan.UNLIMITED);
		ProviderLimits limits = store.open(plan);
		LlmCall call = LlmCall.to("test");
		assertThat(limits.tryReserve(new Claim(call, plan.scopeOf(call)))).isNotNull();
	}

	@Test
	void namesAnAccountThatItDoesNotKnow() {
		ProviderLimits limits = createStore().open(ProviderPlan.of("test", LimitPlan.UNLIMITED)
			.withAccounts(Map.of("a", LimitPlan.UNLIMITED, "b", LimitPlan.UNLIMITED)));
		Claim claim = new Claim(LlmCall.to("test"), new LimitScope("test", "other", "*"));
		assertThatIllegalArgumentException().isThrownBy(() -> limits.tryReserve(claim))
			.withMessageStartingWith("account: other (expected: one of [");
	}

}
