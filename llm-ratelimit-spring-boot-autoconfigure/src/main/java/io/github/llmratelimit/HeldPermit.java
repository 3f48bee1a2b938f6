package io.github.llmratelimit;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The permit of an action, while it runs. A call inside the action to the same provider
 * takes its place, so that both are counted as one; every further call has a permit of
 * its own. Travels in the Reactor context, and on the thread of an action that is not
 * reactive. Thread-safe.
 */
public final class HeldPermit {

	/** The permit around a call. */
	public static final CallLocal<HeldPermit> CURRENT = new CallLocal<>(HeldPermit.class);

	private final AtomicReference<@Nullable Permit> permit;

	/**
	 * Hold a permit.
	 * @param permit the permit
	 */
	public HeldPermit(Permit permit) {
		this.permit = new AtomicReference<>(permit);
	}

	/**
	 * Show the permit to what is subscribed with this context.
	 * @param context the context of an action
	 * @return the context with the permit
	 */
	public Context in(Context context) {
		return CURRENT.put(context, this);
	}

	/**
	 * Show the permit to what is called on this thread.
	 * @param <T> type of the result
	 * @param action an action
	 * @return its result
	 */
	public <T extends @Nullable Object> T during(Supplier<T> action) {
		return CURRENT.during(this, action);
	}

	/**
	 * Whether a call inside the action has taken its place.
	 * @return true if that call ends the permit, and retries what is to be retried
	 */
	public boolean isTakenOver() {
		return this.permit.get() == null;
	}

	/**
	 * The call that is to be admitted, in the place of the permit that is held around it
	 * if there is one for it. That permit is given back: its claim was an estimate of the
	 * caller, and the call inside knows better.
	 * @param call a call
	 * @param context the context of its subscriber
	 * @return the call; with the turn, the urgency and the longest wait of the held one
	 * if it has none of its own
	 */
	public static LlmCall takeOver(LlmCall call, ContextView context) {
		HeldPermit held = CURRENT.find(context);
		return (held != null) ? held.handOver(call) : call;
	}

	private LlmCall handOver(LlmCall inner) {
		Permit outer = this.permit.get();
		if (outer == null || !isFor(outer.call(), inner) || !this.permit.compareAndSet(outer, null)) {
			return inner;
		}
		LlmCall again = outer.again(Duration.ZERO);
		outer.complete(CallOutcome.NOT_SENT, null);
		LlmCall call = outer.call();
		return inner.withTurn((again != null) ? again.turn() : null)
			.withPriority((inner.priority() == Priority.NORMAL) ? call.priority() : inner.priority())
			.withMaxWait((inner.maxWait() != null) ? inner.maxWait() : call.maxWait());
	}

	private static boolean isFor(LlmCall outer, LlmCall inner) {
		return outer.provider().equals(inner.provider())
				&& (outer.model() == null || Objects.equals(outer.model(), inner.model()));
	}

}
