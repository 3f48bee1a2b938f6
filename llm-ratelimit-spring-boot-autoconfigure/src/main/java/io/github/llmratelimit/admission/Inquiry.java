package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.store.ProviderLimits;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store which of the waiting calls may go, in their order, and acts on its
 * verdicts. It never waits for the store: an answer that comes later starts another turn,
 * and a waiter that was cancelled meanwhile is given back when it comes. Belongs to the
 * drain, except for {@link #released}.
 */
final class Inquiry {

	private static final Duration AFTER_STORE_FAILURE = Duration.ofSeconds(1);

	private final ProviderLimits limits;

	private final WaitingQueue queue;

	private final Rejections rejections;

	private final Runnable onAnswer;

	private @Nullable Question question;

	private boolean askAgain;

	/* Something was given back since the store was asked. */
	private volatile boolean released;

	Inquiry(ProviderLimits limits, WaitingQueue queue, Rejections rejections, Runnable onAnswer) {
		this.limits = limits;
		this.queue = queue;
		this.rejections = rejections;
		this.onAnswer = onAnswer;
	}

	/** Any thread: an answer that is still on its way may be out of date. */
	void released() {
		this.released = true;
	}

	/**
	 * Let go whoever may go. A refused waiter keeps what it waits for from others, who
	 * are asked for again if it leaves; and a refusal that was decided before something
	 * was given back may be out of date.
	 * @param now the current time
	 * @return the earliest moment at which asking again makes sense
	 */
	long admit(long now) {
		long nextAt;
		do {
			this.askAgain = false;
			nextAt = walk(now);
		}
		while (this.askAgain);
		return nextAt;
	}

	private long walk(long now) {
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
			nextAt = Math.min(nextAt, apply(asked, round, now));
			this.askAgain |= asked == late && this.released;
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
			answer.whenComplete((verdicts, failure) -> this.onAnswer.run());
		}
		return new Question(waiters, answer);
	}

	/* The drain has to survive a store that breaks its contract. */
	private CompletableFuture<List<Verdict>> reserve(List<Claim> claims) {
		this.released = false;
		try {
			return this.limits.reserve(claims).toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private long apply(Question asked, Round round, long now) {
		long nextAt = Long.MAX_VALUE;
		List<Verdict> verdicts = asked.answer().join();
		for (int i = 0; i < verdicts.size(); i++) {
			nextAt = Math.min(nextAt, apply(asked.waiters().get(i), verdicts.get(i), round, now));
		}
		return nextAt;
	}

	private long apply(Waiter waiter, Verdict verdict, Round round, long now) {
		switch (verdict.kind()) {
			case GRANTED, PROBE -> grant(waiter, verdict, now);
			case NEVER_FITS -> this.queue.choose(waiter,
					this.rejections.neverFits(waiter.call(), verdict.blockedBy(), verdict.ceiling()));
			case OUT_OF_SERVICE -> this.queue.choose(waiter, this.rejections.outOfService(verdict));
			case WAIT, WAIT_FOR_RELEASE -> {
				return hold(waiter, verdict, round, now);
			}
		}
		return Long.MAX_VALUE;
	}

	private void grant(Waiter waiter, Verdict verdict, long now) {
		DefaultPermit permit = waiter.permit(waiter.waitedNanos(now), verdict);
		if (!this.queue.choose(waiter, permit)) {
			permit.giveBack();
		}
	}

	/** Returns when the waiter may go if nothing is given back before. */
	private long hold(Waiter waiter, Verdict verdict, Round round, long now) {
		if (!waiter.isQueued() || now + verdict.waitNanos() > waiter.deadline()) {
			this.askAgain = true;
			this.queue.choose(waiter, this.rejections.waitTooLong(waiter, verdict.waitNanos(), verdict.blockedBy()));
			return Long.MAX_VALUE;
		}
		round.block(waiter);
		return (verdict.kind() == Verdict.Kind.WAIT) ? now + verdict.waitNanos() : Long.MAX_VALUE;
	}

	/**
	 * Waiters for whom the store has been asked.
	 */
	private record Question(List<Waiter> waiters, CompletableFuture<List<Verdict>> answer) {

		static final Question NONE = new Question(List.of(), CompletableFuture.completedFuture(List.of()));

	}

}
