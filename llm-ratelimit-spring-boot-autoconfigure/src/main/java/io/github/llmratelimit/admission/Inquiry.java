package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.store.ProviderLimits;
import org.jspecify.annotations.Nullable;
import reactor.util.concurrent.Queues;

/**
 * Asks the store which of the waiting calls may go, in their order, and acts on its
 * verdicts. It never waits for the store: an answer that comes later starts another turn,
 * and a waiter that was cancelled meanwhile is given back when it comes. Belongs to the
 * drain, except for {@link #released}.
 */
final class Inquiry {

	private static final Duration AFTER_STORE_FAILURE = Duration.ofSeconds(1);

	private static final int MOST_AT_ONCE = 64;

	private final ProviderLimits limits;

	private final WaitingQueue queue;

	private final Shares shares;

	private final Rejections rejections;

	private final Runnable onAnswer;

	/** Scopes of calls that have given something back. */
	private final Queue<LimitScope> released = Queues.<LimitScope>unboundedMultiproducer().get();

	private @Nullable Question open;

	Inquiry(ProviderLimits limits, WaitingQueue queue, Shares shares, Rejections rejections, Runnable onAnswer) {
		this.limits = limits;
		this.queue = queue;
		this.shares = shares;
		this.rejections = rejections;
		this.onAnswer = onAnswer;
	}

	/** Any thread: calls of this scope may go after all. */
	void released(LimitScope scope) {
		this.released.offer(scope);
	}

	/**
	 * Let go whoever may go. The store is asked for one waiter first, and for twice as
	 * many each time, so that a blocked queue costs one question and an open one few.
	 * @param now the current time
	 * @return the earliest moment at which asking again makes sense
	 */
	long admit(long now) {
		Question question = this.open;
		int most = (question != null) ? 2 * question.waiters().size() : 1;
		if (question == null) {
			question = ask(most, now);
		}
		while (!question.waiters().isEmpty()) {
			if (!question.answer().isDone()) {
				this.open = question;
				return Long.MAX_VALUE;
			}
			this.open = null;
			if (question.answer().isCompletedExceptionally()) {
				return now + AFTER_STORE_FAILURE.toNanos();
			}
			apply(question, now);
			question = ask(most, now);
			most = Math.min(MOST_AT_ONCE, 2 * most);
		}
		return this.queue.nextDue();
	}

	/*
	 * What was given back while the store was asked is looked at only now: a refusal that
	 * was decided before is out of date.
	 */
	private Question ask(int most, long now) {
		LimitScope scope = this.released.poll();
		while (scope != null) {
			this.queue.openAfter(scope);
			scope = this.released.poll();
		}
		this.queue.openDue(now);
		List<Waiter> waiters = Round.next(this.queue, this.shares, Math.min(MOST_AT_ONCE, most), now);
		return waiters.isEmpty() ? Question.NONE : ask(waiters);
	}

	private Question ask(List<Waiter> waiters) {
		List<Claim> claims = new ArrayList<>(waiters.size());
		for (Waiter waiter : waiters) {
			claims.add(waiter.claim());
		}
		CompletableFuture<List<Verdict>> answer = reserve(claims);
		if (!answer.isDone()) {
			answer.whenComplete((verdicts, failure) -> this.onAnswer.run());
		}
		return new Question(waiters, answer);
	}

	/* The drain has to survive a store that breaks its contract. */
	private CompletableFuture<List<Verdict>> reserve(List<Claim> claims) {
		try {
			return this.limits.reserve(claims).toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void apply(Question question, long now) {
		List<Verdict> verdicts = question.answer().join();
		for (int i = 0; i < verdicts.size(); i++) {
			apply(question.waiters().get(i), verdicts.get(i), now);
		}
	}

	private void apply(Waiter waiter, Verdict verdict, long now) {
		switch (verdict.kind()) {
			case GRANTED, PROBE -> grant(waiter, verdict, now);
			case NEVER_FITS -> this.queue.choose(waiter,
					this.rejections.neverFits(waiter.call(), verdict.blockedBy(), verdict.ceiling()));
			case OUT_OF_SERVICE -> this.queue.choose(waiter, this.rejections.outOfService(verdict));
			case WAIT, WAIT_FOR_RELEASE -> hold(waiter, verdict, now);
		}
	}

	private void grant(Waiter waiter, Verdict verdict, long now) {
		DefaultPermit permit = waiter.permit(waiter.waitedNanos(now), verdict);
		if (this.queue.choose(waiter, permit)) {
			this.shares.admitted(waiter);
		}
		else {
			permit.giveBack();
		}
	}

	private void hold(Waiter waiter, Verdict verdict, long now) {
		long until = (verdict.waitNanos() > 0) ? now + verdict.waitNanos() : Long.MAX_VALUE;
		boolean inTime = verdict.kind() == Verdict.Kind.WAIT_FOR_RELEASE || until <= waiter.deadline();
		if (waiter.isQueued() && inTime) {
			this.queue.hold(waiter, Objects.requireNonNull(verdict.blockedBy()), until);
		}
		else {
			this.queue.choose(waiter, this.rejections.waitTooLong(waiter, verdict.waitNanos(), verdict.blockedBy()));
		}
	}

	/**
	 * Waiters for whom the store has been asked.
	 */
	private record Question(List<Waiter> waiters, CompletableFuture<List<Verdict>> answer) {

		static final Question NONE = new Question(List.of(), CompletableFuture.completedFuture(List.of()));

	}

}
