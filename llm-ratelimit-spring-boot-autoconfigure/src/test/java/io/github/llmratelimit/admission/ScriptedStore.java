package io.github.llmratelimit.admission;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Cooldown;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelEvent;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.limit.Claim;
import io.github.llmratelimit.limit.Verdict;
import io.github.llmratelimit.store.LimitStore;
import io.github.llmratelimit.store.LocalLimitStore;
import io.github.llmratelimit.store.ProviderLimits;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A store that is far away: it decides at once, but answers when the test says so.
 */
final class ScriptedStore implements LimitStore, ProviderLimits {

	private final LocalLimitStore store;

	private ProviderLimits local;

	private final Queue<Question> questions = new ArrayDeque<>();

	private final List<Integer> asked = new ArrayList<>();

	private boolean broken;

	ScriptedStore(TimeSource time) {
		this.store = new LocalLimitStore(time);
	}

	@Override
	public ProviderLimits open(ProviderPlan plan) {
		this.local = this.store.open(plan);
		return this;
	}

	@Override
	public CompletionStage<List<Verdict>> reserve(List<Claim> claims) {
		if (this.broken) {
			throw new IllegalStateException("broken");
		}
		this.asked.add(claims.size());
		CompletableFuture<List<Verdict>> later = new CompletableFuture<>();
		List<Verdict> verdicts = this.local.reserve(claims).toCompletableFuture().join();
		this.questions.add(new Question(later, verdicts));
		return later;
	}

	/** Answer the oldest question. */
	void answer() {
		Question question = this.questions.remove();
		question.answer().complete(question.verdicts());
	}

	/** Answer whatever is asked until nothing is asked any more. */
	void answerAll() {
		while (!this.questions.isEmpty()) {
			answer();
		}
	}

	/** Fail the oldest question. */
	void fail() {
		this.questions.remove().answer().completeExceptionally(new IllegalStateException("away"));
	}

	/** Break the contract of a store. */
	void setBroken(boolean broken) {
		this.broken = broken;
	}

	int openQuestions() {
		return this.questions.size();
	}

	/** How many claims each question so far was about. */
	List<Integer> asked() {
		return this.asked;
	}

	@Override
	public Verdict count(Claim claim) {
		return this.local.count(claim);
	}

	@Override
	public List<LevelChange> settle(Claim claim, CallOutcome outcome, @Nullable TokenUsage usage) {
		return this.local.settle(claim, outcome, usage);
	}

	@Override
	public List<LevelEvent> observe(Claim claim, ObservedLimits limits) {
		return this.local.observe(claim, limits);
	}

	@Override
	public List<LevelEvent> refuse(Claim claim, ThrottleSignal signal, Cooldown cooldown) {
		return this.local.refuse(claim, signal, cooldown);
	}

	@Override
	public CompletionStage<Void> replace(LimitScope level, LimitPlan plan) {
		return this.local.replace(level, plan);
	}

	@Override
	public CompletionStage<List<LevelEvent>> pause(LimitScope account, @Nullable Duration length, String cause) {
		return this.local.pause(account, length, cause);
	}

	@Override
	public CompletionStage<List<LevelEvent>> resume(LimitScope account) {
		return this.local.resume(account);
	}

	@Override
	public CompletionStage<Map<String, LevelSnapshot>> snapshot() {
		return this.local.snapshot();
	}

	private record Question(CompletableFuture<List<Verdict>> answer, List<Verdict> verdicts) {

	}

}
