package io.github.llmratelimit.limit;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Priority;
import org.junit.jupiter.api.Test;

import static io.github.llmratelimit.limit.TestAccount.bucket;
import static io.github.llmratelimit.limit.TestAccount.call;
import static io.github.llmratelimit.limit.TestAccount.limit;
import static io.github.llmratelimit.limit.TestAccount.rpm;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is left of limits for interactive calls, a tenth by default.
 */
class HeadroomTests {

	private static LlmCall interactive(long tokens) {
		return call(tokens).withPriority(Priority.INTERACTIVE);
	}

	@Test
	void leavesNothingWhereThereAreNoInteractiveCalls() {
		TestAccount account = TestAccount.of(bucket(6000));
		account.take(60, 100);
		account.assertWaits(100, 1, "tpm");
	}

	@Test
	void leavesATenthOfABucketWhileThereAreInteractiveCalls() {
		TestAccount account = TestAccount.of(bucket(6000));
		account.take(interactive(1000));
		account.take(44, 100);
		account.assertWaits(100, 1, "tpm");
		account.take(interactive(500));
	}

	@Test
	void leavesNoMoreThanInteractiveCallsUse() {
		TestAccount account = TestAccount.of(bucket(6000));
		account.take(interactive(100));
		account.at(60).take(59, 100);
		account.assertWaits(100, 1, "tpm");
	}

	@Test
	void leavesAllOfTheShareInTheWindowOfTheFirstInteractiveCall() {
		TestAccount account = TestAccount.of(bucket(6000));
		account.take(interactive(100));
		account.take(53, 100);
		account.assertWaits(100, 1, "tpm");
	}

	@Test
	void leavesItForOneWindowAfterTheLastInteractiveCall() {
		TestAccount account = TestAccount.of(rpm(100));
		account.at(30).take(interactive(0));
		account.at(119).take(99, 0);
		assertThat(account.reserve(0).isGranted()).isFalse();
		account.at(120).take(0);
	}

	@Test
	void leavesATenthOfASlidingWindow() {
		TestAccount account = TestAccount.of(rpm(100));
		for (int i = 0; i < 20; i++) {
			account.take(interactive(0));
		}
		account.take(70, 0);
		account.assertWaits(0, 60, "rpm");
	}

	@Test
	void aCallAsLargeAsTheLimitGoesWhenNothingIsUsed() {
		TestAccount account = TestAccount.of(bucket(6000));
		account.take(interactive(600));
		account.assertWaits(6000, 6, "tpm");
	}

	@Test
	void aClassBelowItsShareLeavesNothing() {
		TestAccount account = TestAccount.of(bucket(6000));
		account.take(interactive(1000));
		account.take(44, 100);
		Claim claim = account.claim(call(600));
		claim.favor(true);
		assertThat(account.reserve(claim).isGranted()).isTrue();
	}

	@Test
	void leavesNothingOfCallsInFlight() {
		TestAccount account = TestAccount.of(LimitPlan.UNLIMITED.withMaxConcurrency(20));
		account.take(interactive(0));
		account.take(19, 0);
	}

	@Test
	void leavesNothingOfSmallRequestLimits() {
		TestAccount account = TestAccount.of(rpm(19));
		account.take(interactive(0));
		account.take(18, 0);
	}

	@Test
	void leavesNothingOfWindowsAboveAnHour() {
		Limit daily = Limit.of("day", Counted.REQUESTS, 100, Duration.ofDays(1), LimitAlgorithm.FIXED_WINDOW);
		TestAccount account = TestAccount.of(daily);
		account.take(interactive(0));
		account.take(99, 0);
	}

	@Test
	void leavesATenthOfAFixedWindow() {
		TestAccount account = TestAccount.of(limit("rpm", Counted.REQUESTS, 100, LimitAlgorithm.FIXED_WINDOW));
		for (int i = 0; i < 10; i++) {
			account.take(interactive(0));
		}
		account.take(80, 0);
		account.assertWaits(0, 60, "rpm");
	}

}
