package io.github.llmratelimit.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Runs actions at the same time, again and again, each on a thread of its own.
 */
public final class RaceTestUtils {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** How often a race is run; more often if {@code -Dexplore=true}. */
	public static final int TIMES = Boolean.getBoolean("explore") ? 50_000 : 5_000;

	private RaceTestUtils() {
	}

	/**
	 * Run a race {@link #TIMES} times.
	 * @param race makes a new race each time
	 */
	public static void repeat(Supplier<Race> race) {
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			for (int time = 0; time < TIMES; time++) {
				run(race.get(), threads);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void run(Race race, ExecutorService threads) {
		CyclicBarrier start = new CyclicBarrier(race.actions().size());
		List<Future<?>> runs = new ArrayList<>();
		for (Runnable action : race.actions()) {
			runs.add(threads.submit(() -> {
				start.await();
				action.run();
				return null;
			}));
		}
		runs.forEach(RaceTestUtils::await);
		race.judge().run();
	}

	private static void await(Future<?> run) {
		try {
			run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new AssertionError("An action of the race did not end", ex);
		}
	}

	/**
	 * What runs at the same time, and what has to hold afterwards.
	 *
	 * @param judge checks the outcome
	 * @param actions two to four actions
	 */
	public record Race(Runnable judge, List<Runnable> actions) {

		public static Race of(Runnable judge, Runnable... actions) {
			return new Race(judge, List.of(actions));
		}

	}

}
