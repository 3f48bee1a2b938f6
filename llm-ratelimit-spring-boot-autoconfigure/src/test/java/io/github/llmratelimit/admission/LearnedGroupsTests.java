package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.List;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.EvictedLevel;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LimitLearning;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.metrics.CallMeters;
import io.github.llmratelimit.metrics.LevelGauges;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.testing.VirtualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LearnedGroups}, and that nothing is left of models that nobody calls
 * any more.
 */
class LearnedGroupsTests {

	private static final ModelGroup SMALL = new ModelGroup("small", List.of("mini*"), LimitPlan.of(rpm(100)));

	private static final ProviderPlan PLAN = ProviderPlan.of("test", LimitPlan.UNLIMITED, SMALL)
		.withLearning(new LimitLearning(true, (counts, amount, per) -> rpm(amount)));

	private final LearnedGroups groups = new LearnedGroups(PLAN);

	private static LearnedLimit learned(String account, String model) {
		return new LearnedLimit(new LimitScope("test", account, model), rpm(3));
	}

	private static EvictedLevel evicted(String account, String model) {
		return new EvictedLevel(new LimitScope("test", account, model), List.of(rpm(3)));
	}

	@Test
	void aModelIsAGroupWhileItHasLimits() {
		assertThat(this.groups.contains("a")).isFalse();
		this.groups.onLimitLearned(learned("default", "a"));
		this.groups.onLimitLearned(new LearnedLimit(new LimitScope("test", "default", "a"), tpm(100)));
		assertThat(this.groups.contains("a")).isTrue();
		assertThat(this.groups.contains("b")).isFalse();
		this.groups.onLevelEvicted(new EvictedLevel(new LimitScope("test", "default", "a"), List.of(rpm(3), tpm(90))));
		assertThat(this.groups.contains("a")).isFalse();
	}

	@Test
	void aModelIsAGroupWhileItHasLimitsInAnyAccount() {
		this.groups.onLimitLearned(learned("one", "a"));
		this.groups.onLimitLearned(learned("two", "a"));
		this.groups.onLevelEvicted(evicted("one", "a"));
		assertThat(this.groups.contains("a")).isTrue();
		this.groups.onLevelEvicted(evicted("two", "a"));
		assertThat(this.groups.contains("a")).isFalse();
	}

	@Test
	void isRightWhenTheReturnOfAModelIsToldBeforeItsEviction() {
		this.groups.onLimitLearned(learned("default", "a"));
		this.groups.onLimitLearned(learned("default", "a"));
		this.groups.onLevelEvicted(evicted("default", "a"));
		assertThat(this.groups.contains("a")).isTrue();
	}

	@Test
	void isRightWhenTheEvictionOfAModelIsToldBeforeItsLimits() {
		this.groups.onLevelEvicted(evicted("default", "a"));
		this.groups.onLimitLearned(learned("default", "a"));
		assertThat(this.groups.contains("a")).isFalse();
	}

	@Test
	void aModelNamedLikeAConfiguredGroupIsNotTakenForIt() {
		this.groups.onLimitLearned(learned("default", "small"));
		this.groups.onLimitLearned(learned("default", ProviderPlan.ANY_MODEL));
		assertThat(this.groups.contains("small")).isFalse();
		assertThat(this.groups.contains(ProviderPlan.ANY_MODEL)).isFalse();
	}

	@Test
	void aThousandModelsLeaveNoTrace() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		LevelGauges gauges = new LevelGauges(List.of(PLAN), () -> null, new VirtualTime());
		gauges.bindTo(registry);
		TestAdmission admission = admission(new CallMeters(registry, List.of(PLAN)), gauges);
		int before = 0;
		for (int i = 0; i < 1000; i++) {
			callTwice(admission, CALL.withModel("model-" + i));
			admission.advance(1);
			if (i == 199) {
				before = registry.getMeters().size();
			}
		}
		assertThat(admission.snapshot().accounts().get("default").models()).hasSize(100);
		assertThat(registry.getMeters()).hasSize(before);
		assertThat(registry.find("llm.ratelimit.limit.remaining").gauges()).hasSize(100);
		admission.assertNoTrace();
	}

	private static TestAdmission admission(RateLimitListener... listeners) {
		return new TestAdmission(PLAN, LocalLimitStore::new, listeners);
	}

	/** The response to the first call announces a limit that the second one has. */
	private static void callTwice(TestAdmission admission, LlmCall call) {
		TestCall first = admission.admit(call);
		first.permit()
			.observe(new ObservedLimits(List.of(new Observed(Counted.REQUESTS, Duration.ofMinutes(1), 3L, 2L, null))));
		first.permit().complete(CallOutcome.SUCCESS, null);
		TestCall second = admission.admit(call);
		assertThat(second.permit().scope().modelGroup()).isEqualTo(call.model());
		second.complete();
	}

}
