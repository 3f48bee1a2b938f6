package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.QueueRules;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.llmratelimit.admission.TestAdmission.CALL;
import static io.github.llmratelimit.admission.TestAdmission.rpm;
import static io.github.llmratelimit.admission.TestAdmission.tpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what lower classes get while higher ones would take everything.
 */
class SharesTests {

	private static final Duration DAY = Duration.ofDays(1);

	private static final int LARGEST = 600;

	private TestAdmission admission = admission(0.1);

	private static TestAdmission admission(double share) {
		return new TestAdmission(TestAdmission.plan(LimitPlan.of(tpm(6000)))
			.withQueue(QueueRules.DEFAULT.withMaxWait(DAY).withLowPriorityShare(share)));
	}

	private List<TestCall> flood(Priority priority, int calls, long tokens) {
		List<TestCall> entered = new ArrayList<>();
		for (int i = 0; i < calls; i++) {
			entered.add(this.admission.enter(call(priority, tokens)));
		}
		return entered;
	}

	private static LlmCall call(Priority priority, long tokens) {
		return CALL.withPriority(priority).withTokens(tokens, 0);
	}

	private static double now(TestAdmission admission) {
		return admission.time.nanoTime() / 1e9;
	}

	private static long admitted(List<TestCall> calls) {
		return calls.stream().filter(TestCall::isAdmitted).count();
	}

	@Test
	void higherClassesTakeEverythingWithoutAShare() {
		this.admission = admission(0);
		flood(Priority.INTERACTIVE, 1000, 100);
		List<TestCall> normal = flood(Priority.NORMAL, 10, 100);
		this.admission.advance(600);
		assertThat(admitted(normal)).isZero();
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0.1, 0.25, 0.5 })
	void lowerClassesGetTheirShareOfTheTokens(double share) {
		this.admission = admission(share);
		flood(Priority.INTERACTIVE, 2000, 100);
		List<TestCall> normal = flood(Priority.NORMAL, 2000, 100);
		this.admission.advance(120);
		long before = admitted(normal);
		this.admission.advance(600);
		assertThat((double) (admitted(normal) - before)).isBetween(share * 600, share * 600 + 60);
	}

	@Test
	void batchCallsGetTheirShareOfWhatNormalCallsUse() {
		flood(Priority.NORMAL, 2000, 100);
		List<TestCall> batch = flood(Priority.BATCH, 2000, 100);
		this.admission.advance(120);
		long before = admitted(batch);
		this.admission.advance(600);
		assertThat(admitted(batch) - before).isBetween(60L, 80L);
	}

	@Test
	void batchCallsGetTheirShareOfAShare() {
		flood(Priority.INTERACTIVE, 3000, 100);
		flood(Priority.NORMAL, 2000, 100);
		List<TestCall> batch = flood(Priority.BATCH, 100, 100);
		this.admission.advance(1200);
		assertThat(admitted(batch)).isBetween(10L, 24L);
	}

	@Test
	void aLargeCallOfALowerClassGoesWithinTwoMinutes() {
		flood(Priority.INTERACTIVE, 2000, 100);
		TestCall large = this.admission.enter(call(Priority.BATCH, 6000));
		this.admission.advance(121);
		large.assertAdmitted();
	}

	/**
	 * The bound: two minutes until the share counts, and then the time in which the share
	 * of the limit admits the call and those of its class before it.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void nobodyWaitsLongerThanTheBound(long seed) {
		Random random = new Random(seed);
		double share = 0.1 + 0.3 * random.nextDouble();
		this.admission = admission(share);
		Map<TestCall, Double> bounds = new LinkedHashMap<>();
		Priority lower = random.nextBoolean() ? Priority.NORMAL : Priority.BATCH;
		Priority higher = (lower == Priority.BATCH && random.nextBoolean()) ? Priority.NORMAL : Priority.INTERACTIVE;
		long ahead = 0;
		for (int second = 0; second < 900; second++) {
			flood(higher, 1, 150 + random.nextInt(100));
			if (second < 300 && random.nextInt(30) == 0) {
				long tokens = 1 + random.nextInt(600);
				ahead += tokens;
				bounds.put(this.admission.enter(call(lower, tokens)),
						second + 120 + (ahead + LARGEST) * 60 / (share * 6000));
			}
			this.admission.advance(1);
			bounds.keySet().removeIf(TestCall::isAdmitted);
			assertThat(bounds.values()).as("seed %d: bounds of %s below %s", seed, lower, higher)
				.noneMatch((bound) -> bound < now(this.admission));
		}
		assertThat(ahead).isPositive();
		assertThat(bounds).as("seed %d", seed).isEmpty();
	}

	@Test
	void aClassBelowItsShareTakesWhatIsLeftForInteractiveCalls() {
		this.admission = new TestAdmission(TestAdmission.plan(LimitPlan.of(tpm(6000)))
			.withQueue(QueueRules.DEFAULT.withMaxWait(DAY).withInteractiveHeadroom(0.9)));
		List<TestCall> normal = flood(Priority.NORMAL, 600, 100);
		for (int second = 0; second < 600; second++) {
			this.admission.enter(call(Priority.INTERACTIVE, 90));
			this.admission.advance(1);
		}
		assertThat(admitted(normal)).isGreaterThan(100);
	}

	@Test
	void callsWithoutTokensCountAsWell() {
		this.admission = new TestAdmission(
				TestAdmission.plan(LimitPlan.of(rpm(60))).withQueue(QueueRules.DEFAULT.withMaxWait(DAY)));
		flood(Priority.INTERACTIVE, 1000, 0);
		List<TestCall> normal = flood(Priority.NORMAL, 100, 0);
		this.admission.advance(600);
		assertThat(admitted(normal)).isBetween(45L, 70L);
	}

}
