package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.ModelGroup;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import org.junit.jupiter.api.Test;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a call which ends concerns few waiters, however many scopes are blocked.
 */
class ManyScopesTests {

	private static final int SCOPES = 2000;

	private ScriptedStore store;

	private TestAdmission admission(LimitPlan account, LimitPlan group) {
		ModelGroup[] groups = IntStream.range(0, SCOPES)
			.mapToObj((number) -> new ModelGroup("m" + number, List.of("m" + number), group))
			.toArray(ModelGroup[]::new);
		ProviderPlan plan = ProviderPlan.of("test", account, groups)
			.withQueue(QueueRules.DEFAULT.withMaxWait(Duration.ofDays(1)));
		return new TestAdmission(plan, (time) -> {
			this.store = new ScriptedStore(time);
			return this.store;
		});
	}

	private static LlmCall call(int scope) {
		return CALL.withModel("m" + scope);
	}

	private List<TestCall> enterAll(TestAdmission admission) {
		List<TestCall> calls = new ArrayList<>();
		for (int scope = 0; scope < SCOPES; scope++) {
			calls.add(admission.enter(call(scope)));
			this.store.answerAll();
		}
		return calls;
	}

	/** How many claims the store is asked for because of an action. */
	private int asked(Runnable action) {
		int before = this.store.asked().size();
		action.run();
		this.store.answerAll();
		List<Integer> asked = this.store.asked();
		return asked.subList(before, asked.size()).stream().mapToInt(Integer::intValue).sum();
	}

	@Test
	void aCallThatEndsConcernsThoseOfItsScope() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED, LimitPlan.UNLIMITED.withMaxConcurrency(1));
		List<TestCall> holders = enterAll(admission);
		List<TestCall> waiters = enterAll(admission);
		assertThat(waiters).noneMatch(TestCall::isAdmitted);
		assertThat(asked(() -> holders.get(1000).complete())).isLessThanOrEqualTo(2);
		assertThat(waiters).filteredOn(TestCall::isAdmitted).containsExactly(waiters.get(1000));
	}

	@Test
	void aCallThatEndsConcernsTheFirstOfThoseThatWaitForTheAccount() {
		TestAdmission admission = admission(LimitPlan.UNLIMITED.withMaxConcurrency(2), LimitPlan.UNLIMITED);
		TestCall first = admission.enter(call(5));
		this.store.answerAll();
		TestCall second = admission.enter(call(7));
		this.store.answerAll();
		List<TestCall> waiters = enterAll(admission);
		assertThat(asked(first::complete)).isLessThanOrEqualTo(4);
		assertThat(asked(second::complete)).isLessThanOrEqualTo(4);
		assertThat(waiters).filteredOn(TestCall::isAdmitted).containsExactly(waiters.get(0), waiters.get(1));
	}

	@Test
	void aMomentThatComesConcernsTheFirstOfThoseThatWaitForIt() {
		TestAdmission admission = admission(LimitPlan.of(rpm(1)), LimitPlan.UNLIMITED);
		admission.enter(CALL);
		this.store.answerAll();
		List<TestCall> waiters = enterAll(admission);
		assertThat(asked(() -> admission.advance(60))).isLessThanOrEqualTo(4);
		assertThat(waiters).filteredOn(TestCall::isAdmitted).containsExactly(waiters.get(0));
		assertThat(admission.time.timers()).isEqualTo(1);
	}

	@Test
	void aWaiterThatLeavesConcernsTheNext() {
		TestAdmission admission = admission(LimitPlan.of(rpm(1)), LimitPlan.UNLIMITED);
		admission.enter(CALL);
		this.store.answerAll();
		List<TestCall> waiters = enterAll(admission);
		assertThat(asked(() -> waiters.get(0).cancel())).isLessThanOrEqualTo(2);
		assertThat(asked(() -> waiters.get(1000).cancel())).isLessThanOrEqualTo(2);
	}

}
