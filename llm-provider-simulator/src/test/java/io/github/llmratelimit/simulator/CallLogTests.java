package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallLog}.
 */
class CallLogTests {

	private static final int WINDOW = 40;

	private static final int END = 700;

	@Test
	void findsTheHighestOfAllWindowsOnGeneratedSchedules() {
		for (int seed = 0; seed < 100; seed++) {
			List<Call> calls = generate(new Random(seed));
			Ledger ledger = log(calls).ledger(Duration.ofNanos(WINDOW));
			assertThat(ledger.highestRequestsInWindow()).isEqualTo(highestOfWindows(calls, (call) -> 1));
			assertThat(ledger.highestTokensInWindow()).isEqualTo(highestOfWindows(calls, Call::tokens));
			assertThat(ledger.highestConcurrency()).isEqualTo(highestConcurrency(calls));
		}
	}

	private static List<Call> generate(Random random) {
		List<Call> calls = new ArrayList<>();
		long now = 0;
		for (int i = 0; i < 60; i++) {
			now += random.nextInt(10);
			calls.add(new Call(now, now + 1 + random.nextInt(50), random.nextInt(100)));
		}
		return calls;
	}

	private static CallLog log(List<Call> calls) {
		CallLog log = new CallLog();
		Map<Call, CallLog.Entry> running = new LinkedHashMap<>();
		for (long now = 0; now < END; now++) {
			long moment = now;
			running.forEach((call, entry) -> {
				if (call.end == moment) {
					entry.end(moment);
				}
			});
			calls.stream()
				.filter((call) -> call.start == moment)
				.forEach((call) -> running.put(call, log.admitted("a", call.tokens, false, moment)));
		}
		return log;
	}

	private static long highestOfWindows(List<Call> calls, ToLongFunction<Call> amount) {
		return LongStream.range(-WINDOW, END)
			.map((from) -> calls.stream()
				.filter((call) -> call.start >= from && call.start < from + WINDOW)
				.mapToLong(amount)
				.sum())
			.max()
			.orElseThrow();
	}

	private static int highestConcurrency(List<Call> calls) {
		return (int) LongStream.range(0, END)
			.map((at) -> calls.stream().filter((call) -> call.start <= at && at < call.end).count())
			.max()
			.orElseThrow();
	}

	@Test
	void countsCallsThatEndAtOnceOneAfterTheOther() {
		CallLog log = new CallLog();
		for (int i = 0; i < 3; i++) {
			log.admitted("a", 1, false, 5).end(5);
		}
		assertThat(log.ledger(Duration.ofMinutes(1)).highestConcurrency()).isEqualTo(1);
	}

	@Test
	void keepsAccountsApart() {
		CallLog log = new CallLog();
		log.admitted("a", 10, false, 0);
		log.admitted("b", 20, true, 0);
		Ledger ledger = log.ledger(Duration.ofSeconds(1));
		assertThat(ledger.accepted()).isEqualTo(2);
		assertThat(ledger.failed()).isEqualTo(1);
		assertThat(ledger.tokensCharged()).isEqualTo(30);
		assertThat(ledger.highestRequestsInWindow()).isEqualTo(1);
		assertThat(ledger.highestTokensInWindow()).isEqualTo(20);
		assertThat(ledger.highestConcurrency()).isEqualTo(1);
	}

	@Test
	void countsArrivalsBySecond() {
		CallLog log = new CallLog();
		log.arrived(500_000_000L);
		log.arrived(999_999_999L);
		log.arrived(3_000_000_000L);
		Ledger ledger = log.ledger(Duration.ofMinutes(1));
		assertThat(ledger.arrivalsPerSecond()).containsExactly(2, 0, 0, 1);
		assertThat(ledger.firstArrival()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void isAllZeroWhenNothingHappened() {
		Ledger ledger = new CallLog().ledger(Duration.ofMinutes(1));
		assertThat(ledger.arrivals()).isZero();
		assertThat(ledger.makespan()).isZero();
		assertThat(ledger.firstArrival()).isZero();
		assertThat(ledger.highestTokensInWindow()).isZero();
	}

	// Not a record: two calls of the same figures are two calls.
	private static final class Call {

		private final long start;

		private final long end;

		private final long tokens;

		Call(long start, long end, long tokens) {
			this.start = start;
			this.end = end;
			this.tokens = tokens;
		}

		long tokens() {
			return this.tokens;
		}

	}

}
