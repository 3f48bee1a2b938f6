package io.github.llmratelimit.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

import io.github.llmratelimit.testing.RaceTestUtils.Race;
import org.jspecify.annotations.Nullable;

/**
 * Runs the actions of a race in every order of their steps, in which a thread is
 * interrupted by another at most so many times: one thread runs at a time, and may hand
 * over at each {@link #step()}. Each order starts from a fresh race; the same order runs
 * the same way again.
 */
public final class Interleavings {

	/** With more than two threads one less; more of them if {@code -Dexplore=true}. */
	private static final int INTERRUPTIONS = Boolean.getBoolean("explore") ? 3 : 2;

	private static final ThreadLocal<@Nullable Run> CURRENT = new ThreadLocal<>();

	private Interleavings() {
	}

	/** Another thread may run before what follows; called by {@link SteppedClasses}. */
	public static void step() {
		Run run = CURRENT.get();
		if (run != null) {
			run.step();
		}
	}

	/**
	 * Run a race in every order.
	 * @param race makes a new race each time
	 * @return in how many orders it was run
	 */
	public static int explore(Supplier<Race> race) {
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			int runs = 0;
			List<Integer> path = List.of();
			while (path != null) {
				Run run = new Run(race.get(), path);
				run.judge(threads);
				path = run.next();
				runs++;
			}
			return runs;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * One order.
	 */
	private static final class Run {

		private final Race race;

		private final List<Integer> path;

		/* At each point where there was a choice: what was chosen, and of how many. */
		private final List<Integer> chosen = new ArrayList<>();

		private final List<Integer> choices = new ArrayList<>();

		private final StringBuilder order = new StringBuilder();

		private final List<Integer> alive = new ArrayList<>();

		private final List<Semaphore> turns = new ArrayList<>();

		private final Semaphore ended = new Semaphore(0);

		private @Nullable Throwable failure;

		private int interruptions;

		private int current;

		Run(Race race, List<Integer> path) {
			this.race = race;
			this.path = path;
			this.interruptions = (race.actions().size() > 2) ? INTERRUPTIONS - 1 : INTERRUPTIONS;
		}

		void judge(ExecutorService threads) {
			for (int i = 0; i < this.race.actions().size(); i++) {
				int number = i;
				this.alive.add(number);
				this.turns.add(new Semaphore(0));
				threads.execute(() -> act(number));
			}
			goOn(choose(this.alive.size()));
			this.ended.acquireUninterruptibly();
			try {
				if (this.failure != null) {
					throw this.failure;
				}
				this.race.judge().run();
			}
			catch (Throwable ex) {
				throw new AssertionError("in the order " + this.order + ": " + ex.getMessage(), ex);
			}
		}

		private void act(int number) {
			this.turns.get(number).acquireUninterruptibly();
			CURRENT.set(this);
			try {
				this.race.actions().get(number).run();
			}
			catch (Throwable ex) {
				this.failure = ex;
			}
			CURRENT.remove();
			this.alive.remove(Integer.valueOf(number));
			if (this.alive.isEmpty()) {
				this.ended.release();
			}
			else {
				goOn(choose(this.alive.size()));
			}
		}

		private void goOn(int choice) {
			this.current = this.alive.get(choice);
			this.turns.get(this.current).release();
		}

		void step() {
			this.order.append((char) ('A' + this.current));
			int choice = (this.interruptions > 0) ? choose(this.alive.size()) : 0;
			if (choice > 0) {
				this.interruptions--;
				int self = this.current;
				List<Integer> others = new ArrayList<>(this.alive);
				others.remove(Integer.valueOf(self));
				this.current = others.get(choice - 1);
				this.turns.get(this.current).release();
				this.turns.get(self).acquireUninterruptibly();
			}
		}

		private int choose(int from) {
			if (from == 1) {
				return 0;
			}
			int choice = (this.chosen.size() < this.path.size()) ? this.path.get(this.chosen.size()) : 0;
			this.chosen.add(choice);
			this.choices.add(from);
			return choice;
		}

		/** The choices of the next order, {@code null} if this was the last. */
		@Nullable List<Integer> next() {
			for (int last = this.chosen.size() - 1; last >= 0; last--) {
				if (this.chosen.get(last) + 1 < this.choices.get(last)) {
					List<Integer> next = new ArrayList<>(this.chosen.subList(0, last));
					next.add(this.chosen.get(last) + 1);
					return next;
				}
			}
			return null;
		}

	}

}
