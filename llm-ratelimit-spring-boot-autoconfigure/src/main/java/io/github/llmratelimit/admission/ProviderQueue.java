package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.Turn;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.store.ProviderLimits;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.concurrent.Queues;

/**
 * The one queue of a provider: a fast path while nobody waits, else the drain.
 * Thread-safe.
 * <p>
 * Any thread may cause a drain, one at a time runs it: the thread that moves
 * {@code workInProgress} from 0 works for all, the others only count up. Only the drain
 * touches the queue and the timer; arrivals and departures reach it through the inbox. It
 * never waits for the store: an answer that comes later starts another turn, and a waiter
 * that was cancelled meanwhile is given back when it comes. Answers are handed to their
 * subscribers after the turn.
 */
final class ProviderQueue {

	private static final Duration AFTER_STORE_FAILURE = Duration.ofSeconds(1);

	private final ProviderPlan plan;

	private final ProviderLimits limits;

	private final TimeSource time;

	private final RateLimitListener listener;

	private final Rejections rejections;

	/** Models to which limits of their own have been announced. */
	private final Set<String> learnedGroups = ConcurrentHashMap.newKeySet();

	private final AtomicLong arrivals = new AtomicLong();

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicIntegerArray waitingByPriority = new AtomicIntegerArray(Priority.values().length);

	private final AtomicInteger workInProgress = new AtomicInteger();

	private final Queue<Waiter> inbox = Queues.<Waiter>unboundedMultiproducer().get();

	private final WaitingQueue queue = new WaitingQueue();

	private final WakeUp wakeUp;

	private @Nullable Question question;

	private boolean askAgain;

	/* Something was given back since the store was asked. */
	private volatile boolean givenBack;

	ProviderQueue(ProviderPlan plan, ProviderLimits limits, TimeSource time, RateLimitListener listener) {
		this.plan = plan;
		this.limits = limits;
		this.time = time;
		this.listener = listener;
		this.rejections = new Rejections(plan);
		this.wakeUp = new WakeUp(time, this::drain);
	}

	ProviderPlan plan() {
		return this.plan;
	}

	Mono<ProviderSnapshot> snapshot() {
		return Mono.fromCompletionStage(this.limits::snapshot)
			.map((accounts) -> new ProviderSnapshot(this.plan.provider(), waiting(), accounts));
	}

	private Map<Priority, Integer> waiting() {
		Map<Priority, Integer> counts = new EnumMap<>(Priority.class);
		for (Priority priority : Priority.values()) {
			counts.put(priority, this.waitingByPriority.get(priority.ordinal()));
		}
		return counts;
	}

	void enter(Waiter waiter) {
		if (this.plan.shadow()) {
			watch(waiter);
			return;
		}
		if (this.waiting.get() == 0 && enterFast(waiter)) {
			return;
		}
		LlmRateLimitException unfit = this.rejections.neverFits(waiter);
		if (unfit != null) {
			answer(waiter, unfit);
		}
		else {
			queueUp(waiter);
		}
	}

	/* Goes at once; what would have become of it is told instead of done. */
	private void watch(Waiter waiter) {
		Verdict verdict = this.limits.count(waiter.claim());
		LlmRateLimitException refusal = this.rejections.refusalOf(waiter, verdict);
		if (refusal != null) {
			this.listener.onRejected(waiter.call(), refusal);
		}
		answer(waiter, new DefaultPermit(this, waiter.claim(), sequenceOf(waiter.call()), verdict.waitNanos(),
				isProbe(verdict)));
	}

	private void queueUp(Waiter waiter) {
		if (count(waiter, 1) > this.plan.queue().capacity() && waiter.call().turn() == null) {
			count(waiter, -1);
			answer(waiter, this.rejections.queueFull(waiter));
		}
		else if (waiter.queueUp(this.time.nanoTime(), sequenceOf(waiter.call()))) {
			this.inbox.offer(waiter);
			drain();
		}
		else {
			count(waiter, -1);
		}
	}

	private boolean enterFast(Waiter waiter) {
		Verdict verdict = this.limits.tryReserve(waiter.claim());
		if (verdict == null || !verdict.isGranted()) {
			return false;
		}
		answer(waiter, new DefaultPermit(this, waiter.claim(), sequenceOf(waiter.call()), 0, isProbe(verdict)));
		return true;
	}

	/* Outside the drain: the waiter is in no queue. */
	private void answer(Waiter waiter, Object answer) {
		if (waiter.choose(answer)) {
			waiter.deliver();
		}
		else if (answer instanceof DefaultPermit permit) {
			permit.giveBack();
		}
	}

	void admitted(Permit permit) {
		this.listener.onAdmitted(permit);
	}

	void rejected(LlmCall call, LlmRateLimitException exception) {
		this.listener.onRejected(call, exception);
	}

	private long sequenceOf(LlmCall call) {
		Turn turn = call.turn();
		return (turn != null) ? turn.sequence() : this.arrivals.incrementAndGet();
	}

	/** A waiter was cancelled. */
	void leave(Waiter waiter) {
		this.inbox.offer(waiter);
		drain();
	}

	void observe(Claim claim, ObservedLimits limits) {
		for (LearnedLimit learned : this.limits.observe(claim, limits)) {
			this.learnedGroups.add(learned.scope().modelGroup());
			this.listener.onLimitLearned(learned);
		}
		if (this.plan.learning() != null) {
			drainIfWaiting();
		}
	}

	/** The scope of a call, which may be a model that is no configured group. */
	LimitScope scopeOf(LlmCall call) {
		LimitScope scope = this.plan.scopeOf(call);
		String model = call.model();
		return (model != null && scope.modelGroup().equals(ProviderPlan.ANY_MODEL) && isLearned(model))
				? new LimitScope(scope.provider(), scope.account(), model) : scope;
	}

	private boolean isLearned(String model) {
		return !this.learnedGroups.isEmpty() && this.learnedGroups.contains(model);
	}

	void ended(DefaultPermit permit, Claim claim, CallOutcome outcome, @Nullable TokenUsage usage) {
		List<LevelChange> changes = this.limits.settle(claim, outcome, usage);
		this.listener.onCompleted(permit, outcome, usage);
		changes.forEach(this.listener::onLevelChanged);
		drainIfWaiting();
	}

	/* Closed before anything is given back, so that nobody slips through in between. */
	void refused(DefaultPermit permit, Claim claim, ThrottleSignal signal, Cooldown cooldown) {
		List<LevelChange> changes = this.limits.refuse(claim, signal, cooldown);
		this.limits.settle(claim, signal.outcome(), null);
		this.listener.onCompleted(permit, signal.outcome(), null);
		this.listener.onThrottled(permit, signal, cooldown.length());
		changes.forEach(this.listener::onLevelChanged);
		drainIfWaiting();
	}

	void givenBack(Claim claim) {
		this.limits.settle(claim, CallOutcome.NOT_SENT, null);
		drainIfWaiting();
	}

	private void drainIfWaiting() {
		if (this.waiting.get() > 0) {
			this.givenBack = true;
			drain();
		}
	}

	private void drain() {
		if (this.workInProgress.getAndIncrement() != 0) {
			return;
		}
		Queue<Waiter> answered = new ArrayDeque<>(0);
		int missed = 1;
		do {
			turn(answered);
			missed = this.workInProgress.addAndGet(-missed);
		}
		while (missed != 0);
		if (!answered.isEmpty()) {
			Deliveries.run(answered);
		}
	}

	private void turn(Queue<Waiter> answered) {
		long now = this.time.nanoTime();
		takeIn(now, answered);
		long nextAt = admit(now, answered);
		if (expire(now, answered)) {
			nextAt = admit(now, answered);
		}
		Waiter earliest = this.queue.earliestDeadline();
		if (earliest != null) {
			this.wakeUp.at(Math.min(nextAt, earliest.deadline()), now);
		}
		else {
			this.wakeUp.cancel();
		}
	}

	/* Every waiter comes once to enter, and once more if it is cancelled. */
	private void takeIn(long now, Queue<Waiter> answered) {
		Waiter waiter = this.inbox.poll();
		while (waiter != null) {
			if (!waiter.takenIn) {
				waiter.takenIn = true;
				enterLine(waiter, now, answered);
			}
			else if (waiter.isInLine()) {
				remove(waiter);
			}
			waiter = this.inbox.poll();
		}
	}

	private void enterLine(Waiter waiter, long now, Queue<Waiter> answered) {
		if (waiter.isQueued()) {
			join(waiter, now, answered);
		}
		else {
			count(waiter, -1);
		}
	}

	private void join(Waiter waiter, long now, Queue<Waiter> answered) {
		long atLeast = this.rejections.nanosToAdmit(waiter, this.queue);
		this.queue.add(waiter);
		if (atLeast > 0 && now + atLeast > waiter.deadline()) {
			choose(waiter, this.rejections.waitTooLong(waiter, atLeast, null), answered);
		}
	}

	/* Whoever leaves may have held up others. */
	private boolean expire(long now, Queue<Waiter> answered) {
		boolean any = false;
		Waiter waiter = this.queue.earliestDeadline();
		while (waiter != null && waiter.deadline() <= now) {
			any = true;
			choose(waiter, this.rejections.waitTooLong(waiter, 0, null), answered);
			waiter = this.queue.earliestDeadline();
		}
		return any;
	}

	/*
	 * Returns the earliest moment at which asking again makes sense. A refused waiter
	 * keeps what it waits for from others, who are asked for again if it leaves; and a
	 * refusal that was decided before something was given back may be out of date.
	 */
	private long admit(long now, Queue<Waiter> answered) {
		long nextAt;
		do {
			this.askAgain = false;
			nextAt = walk(now, answered);
		}
		while (this.askAgain);
		return nextAt;
	}

	private long walk(long now, Queue<Waiter> answered) {
		long nextAt = Long.MAX_VALUE;
		Question late = this.question;
		Round round = new Round(this.queue, (late != null) ? 2 * late.waiters().size() : 1);
		Question asked = (late != null) ? late : ask(round);
		while (!asked.waiters().isEmpty()) {
			if (!asked.answer().isDone()) {
				this.question = asked;
				return nextAt;
			}
			this.question = null;
			if (asked.answer().isCompletedExceptionally()) {
				return now + AFTER_STORE_FAILURE.toNanos();
			}
			nextAt = Math.min(nextAt, apply(asked, round, now, answered));
			this.askAgain |= asked == late && this.givenBack;
			asked = ask(round);
		}
		return nextAt;
	}

	private Question ask(Round round) {
		List<Waiter> waiters = round.next();
		if (waiters.isEmpty()) {
			return Question.NONE;
		}
		List<Claim> claims = new ArrayList<>(waiters.size());
		for (Waiter waiter : waiters) {
			claims.add(waiter.claim());
		}
		CompletableFuture<List<Verdict>> answer = reserve(claims);
		if (!answer.isDone()) {
			answer.whenComplete((verdicts, failure) -> drain());
		}
		return new Question(waiters, answer);
	}

	/* The drain has to survive a store that breaks its contract. */
	private CompletableFuture<List<Verdict>> reserve(List<Claim> claims) {
		this.givenBack = false;
		try {
			return this.limits.reserve(claims).toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private long apply(Question asked, Round round, long now, Queue<Waiter> answered) {
		long nextAt = Long.MAX_VALUE;
		List<Verdict> verdicts = asked.answer().join();
		for (int i = 0; i < verdicts.size(); i++) {
			nextAt = Math.min(nextAt, apply(asked.waiters().get(i), verdicts.get(i), round, now, answered));
		}
		return nextAt;
	}

	private long apply(Waiter waiter, Verdict verdict, Round round, long now, Queue<Waiter> answered) {
		if (verdict.isGranted()) {
			grant(waiter, isProbe(verdict), now, answered);
			return Long.MAX_VALUE;
		}
		if (verdict.kind() == Verdict.Kind.NEVER_FITS) {
			choose(waiter, this.rejections.neverFits(waiter.call(), verdict.blockedBy(), verdict.ceiling()), answered);
			return Long.MAX_VALUE;
		}
		if (verdict.kind() == Verdict.Kind.OUT_OF_SERVICE) {
			choose(waiter, this.rejections.outOfService(verdict), answered);
			return Long.MAX_VALUE;
		}
		if (!waiter.isQueued() || now + verdict.waitNanos() > waiter.deadline()) {
			this.askAgain = true;
			choose(waiter, this.rejections.waitTooLong(waiter, verdict.waitNanos(), verdict.blockedBy()), answered);
			return Long.MAX_VALUE;
		}
		round.block(waiter);
		return (verdict.kind() == Verdict.Kind.WAIT) ? now + verdict.waitNanos() : Long.MAX_VALUE;
	}

	private static boolean isProbe(Verdict verdict) {
		return verdict.kind() == Verdict.Kind.PROBE;
	}

	private void grant(Waiter waiter, boolean probe, long now, Queue<Waiter> answered) {
		DefaultPermit permit = new DefaultPermit(this, waiter.claim(), waiter.sequence(), waiter.waitedNanos(now),
				probe);
		if (!choose(waiter, permit, answered)) {
			permit.giveBack();
		}
	}

	/* A waiter that was cancelled while the store was asked may have left the line. */
	private boolean choose(Waiter waiter, Object answer, Queue<Waiter> answered) {
		if (waiter.isInLine()) {
			remove(waiter);
		}
		boolean chosen = waiter.choose(answer);
		if (chosen) {
			answered.add(waiter);
		}
		return chosen;
	}

	private void remove(Waiter waiter) {
		this.queue.remove(waiter);
		count(waiter, -1);
	}

	private int count(Waiter waiter, int change) {
		this.waitingByPriority.addAndGet(waiter.call().priority().ordinal(), change);
		return this.waiting.addAndGet(change);
	}

	/**
	 * Waiters for whom the store has been asked.
	 */
	private record Question(List<Waiter> waiters, CompletableFuture<List<Verdict>> answer) {

		static final Question NONE = new Question(List.of(), CompletableFuture.completedFuture(List.of()));

	}

}
