package io.github.llmratelimit.exchange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.time.TimeSource;
import reactor.core.publisher.Mono;

/**
 * The permits of responses whose bodies nobody has begun to read, which end after a time.
 * Thread-safe. In order of their deadlines, which are all equally far away: one timer,
 * for the oldest, instead of one for each response, which would wake a thread each time.
 */
final class UnreadBodies {

	private final Duration timeout;

	private final TimeSource time;

	private final Map<Permit, Long> deadlines = new LinkedHashMap<>();

	private boolean timer;

	UnreadBodies(Duration timeout, TimeSource time) {
		this.timeout = timeout;
		this.time = time;
	}

	void add(Permit permit) {
		long deadline = this.time.nanoTime() + this.timeout.toNanos();
		boolean first;
		synchronized (this.deadlines) {
			this.deadlines.put(permit, deadline);
			first = !this.timer;
			this.timer = true;
		}
		if (first) {
			wakeUpAfter(this.timeout);
		}
	}

	void remove(Permit permit) {
		synchronized (this.deadlines) {
			this.deadlines.remove(permit);
		}
	}

	private void wakeUpAfter(Duration delay) {
		Mono.delay(delay, this.time.scheduler()).subscribe((tick) -> expire());
	}

	/* A permit that is being read by now has left: what is found here is unread. */
	private void expire() {
		long now = this.time.nanoTime();
		List<Permit> expired = new ArrayList<>();
		Long next = null;
		synchronized (this.deadlines) {
			Iterator<Map.Entry<Permit, Long>> oldestFirst = this.deadlines.entrySet().iterator();
			while (next == null && oldestFirst.hasNext()) {
				Map.Entry<Permit, Long> oldest = oldestFirst.next();
				if (oldest.getValue() <= now) {
					expired.add(oldest.getKey());
					oldestFirst.remove();
				}
				else {
					next = oldest.getValue();
				}
			}
			this.timer = next != null;
		}
		expired.forEach((permit) -> permit.complete(CallOutcome.SUCCESS, null));
		if (next != null) {
			wakeUpAfter(Duration.ofNanos(next - now));
		}
	}

}
