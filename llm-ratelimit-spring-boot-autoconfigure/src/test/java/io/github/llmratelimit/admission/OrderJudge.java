package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.admission.TestAdmission.TestCall;
import io.github.llmratelimit.testing.VirtualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Judges by its own books in which order calls are admitted: first come, first served
 * inside a class and scope. In one account also inside a class whatever the scopes, and
 * between classes the more urgent one, unless the other is below its share; only calls
 * that wait for the same limits are compared.
 */
final class OrderJudge {

	/** Tokens of the largest call. */
	static final int LARGEST = 450;

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private final ProviderPlan plan;

	private final VirtualTime time;

	private final Map<TestCall, Entered> waiting = new LinkedHashMap<>();

	private final List<Got> got = new ArrayList<>();

	private final List<String> violations = new ArrayList<>();

	private long entries;

	OrderJudge(ProviderPlan plan, VirtualTime time) {
		this.plan = plan;
		this.time = time;
	}

	/**
	 * A call is about to enter.
	 * @param call the call
	 * @param place its number in order of arrival; an old one if it comes back
	 */
	void enters(TestCall entering, LlmCall call, long place) {
		this.waiting.values().removeIf((entered) -> !entered.test().isWaiting());
		boolean alone = this.waiting.isEmpty();
		this.waiting.put(entering, new Entered(entering, call, this.plan.scopeOf(call), place, this.entries++, alone));
	}

	/**
	 * A call has been admitted.
	 * @param atOnce whether the store decides when it is asked
	 */
	void admitted(TestCall admitted, boolean atOnce) {
		Permit permit = admitted.permit();
		Entered self = this.waiting.remove(admitted);
		heads().filter((head) -> wouldHaveGone(head, self, permit)).forEach((head) -> judge(head, self, atOnce));
		if (!permit.waited().isZero() || !self.alone()) {
			this.got.add(new Got(this.time.nanoTime(), self.priority(), Math.max(1, self.tokens())));
		}
	}

	/* Those behind a head of their class and scope wait for it alone. */
	private Stream<Entered> heads() {
		Map<List<?>, Entered> heads = new LinkedHashMap<>();
		this.waiting.values()
			.stream()
			.filter((entered) -> entered.test().isWaiting())
			.forEach((entered) -> heads.merge(List.of(entered.priority(), entered.scope()), entered,
					(first, second) -> (first.place() < second.place()) ? first : second));
		return heads.values().stream();
	}

	private void judge(Entered other, Entered self, boolean betweenClasses) {
		if (other.priority() == self.priority()) {
			if (other.place() < self.place() && other.entry() < self.entry()) {
				violated(self, other, "which came earlier");
			}
		}
		else if (betweenClasses && self.priority().compareTo(other.priority()) < 0) {
			if (isOwed(other.priority(), self.priority(), LARGEST)) {
				violated(self, other, "which is below its share");
			}
		}
		else if (betweenClasses && !isOwed(self.priority(), other.priority(), -LARGEST)) {
			violated(self, other, "which is more urgent");
		}
	}

	/* Not thrown: it is a subscriber that finds it. */
	private void violated(Entered self, Entered other, String why) {
		this.violations.add("%s went before %s, %s".formatted(self, other, why));
	}

	void assertKept() {
		assertThat(this.violations).isEmpty();
	}

	/*
	 * Each limit that the other may wait for is one that the admitted call has taken
	 * from. A call without tokens takes nothing from those that wait for tokens.
	 */
	private boolean wouldHaveGone(Entered other, Entered self, Permit permit) {
		String group = other.scope().modelGroup();
		boolean sameLimits = group.equals(ProviderPlan.ANY_MODEL) || group.equals(self.scope().modelGroup());
		boolean inLine = other.scope().equals(self.scope()) && other.priority() == self.priority();
		return (inLine || this.plan.accounts().size() == 1 && sameLimits) && permit.call().tokens().total() > 0;
	}

	/**
	 * Whether a class has got less than its share, so that it goes first.
	 * @param margin tokens by which it is below at least; what is asked for in the same
	 * batch counts before it is decided
	 */
	private boolean isOwed(Priority lower, Priority higher, long margin) {
		long low = tokens(Priority.NORMAL) + tokens(Priority.BATCH);
		boolean ofAll = higher == Priority.INTERACTIVE;
		long all = ofAll ? low + tokens(Priority.INTERACTIVE) : low;
		long own = ofAll ? low : tokens(lower);
		return hasSeenMinute() && own + margin < this.plan.queue().lowPriorityShare() * all;
	}

	private boolean hasSeenMinute() {
		long begin = minute() * MINUTE;
		return this.got.stream().anyMatch((got) -> got.at() < begin && got.at() >= begin - MINUTE);
	}

	private long tokens(Priority priority) {
		long since = (minute() - 1) * MINUTE;
		return this.got.stream()
			.filter((got) -> got.at() >= since && got.priority() == priority)
			.mapToLong(Got::tokens)
			.sum();
	}

	private long minute() {
		return this.time.nanoTime() / MINUTE;
	}

	private record Got(long at, Priority priority, long tokens) {

	}

	private record Entered(TestCall test, LlmCall call, LimitScope scope, long place, long entry, boolean alone) {

		Priority priority() {
			return this.call.priority();
		}

		long tokens() {
			return this.call.tokens().total();
		}

		@Override
		public String toString() {
			return priority() + " call " + this.place + " to " + this.scope;
		}

	}

}
