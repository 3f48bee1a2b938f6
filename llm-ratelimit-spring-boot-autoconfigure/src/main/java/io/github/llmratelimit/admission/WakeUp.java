package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * At most one timer: the earliest wish wins, and one that is soon enough is kept. One
 * that has fired is followed by the next after 4 ms at the earliest, so that thousands of
 * calls a second are woken together. Not thread-safe: it belongs to the drain.
 */
final class WakeUp {

	private static final long GAP = TimeUnit.MILLISECONDS.toNanos(4);

	private final TimeSource time;

	private final Runnable action;

	private @Nullable Disposable timer;

	private long dueAt;

	private long notBefore;

	WakeUp(TimeSource time, Runnable action) {
		this.time = time;
		this.action = action;
	}

	/**
	 * Make sure that the action runs at or soon after a moment.
	 * @param at the moment
	 * @param now the current time
	 */
	void at(long at, long now) {
		if (this.timer != null && this.timer.isDisposed()) {
			this.notBefore = this.dueAt + GAP;
			this.timer = null;
		}
		long due = Math.max(at, this.notBefore);
		if (this.timer != null && this.dueAt <= due) {
			return;
		}
		cancel();
		this.dueAt = due;
		Duration delay = Duration.ofNanos(Math.max(0, due - now));
		this.timer = Mono.delay(delay, this.time.scheduler()).subscribe((tick) -> this.action.run());
	}

	void cancel() {
		if (this.timer != null) {
			this.timer.dispose();
			this.timer = null;
		}
	}

}
