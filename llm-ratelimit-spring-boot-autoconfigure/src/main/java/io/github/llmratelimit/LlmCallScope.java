package io.github.llmratelimit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Options of all calls made inside a piece of code, for clients that cannot be told about
 * a single call: {@code LlmCallScope.of(priority(BATCH)).during(() -> client.ask(…))}, or
 * {@code mono.contextWrite(LlmCallScope.of(priority(BATCH))::in)}. What a call says of
 * itself, and what a scope further inside says, comes first. Immutable.
 */
public final class LlmCallScope {

	/** The scope around a call. */
	public static final CallLocal<LlmCallScope> CURRENT = new CallLocal<>(LlmCallScope.class);

	private final Map<String, Object> attributes;

	private LlmCallScope(Map<String, Object> attributes) {
		this.attributes = Map.copyOf(attributes);
	}

	/**
	 * A scope with options.
	 * @param options options of {@link LlmRateLimitAttributes}
	 * @return the scope
	 */
	@SafeVarargs
	public static LlmCallScope of(Consumer<Map<String, Object>>... options) {
		Map<String, Object> attributes = new HashMap<>();
		List.of(options).forEach((option) -> option.accept(attributes));
		return new LlmCallScope(attributes);
	}

	/**
	 * Let it hold for what is subscribed with this context.
	 * @param context a context
	 * @return the context with this scope inside the one that it has
	 */
	public Context in(Context context) {
		return CURRENT.put(context, inside(CURRENT.find(context)));
	}

	/**
	 * Let it hold for what is called on this thread.
	 * @param <T> type of the result
	 * @param action an action
	 * @return its result
	 */
	public <T extends @Nullable Object> T during(Supplier<T> action) {
		return CURRENT.during(inside(CURRENT.get()), action);
	}

	private LlmCallScope inside(@Nullable LlmCallScope outer) {
		return (outer != null) ? new LlmCallScope(outer.with(this.attributes)) : this;
	}

	private Map<String, Object> with(Map<String, Object> nearer) {
		Map<String, Object> all = new HashMap<>(this.attributes);
		all.putAll(nearer);
		return all;
	}

	/**
	 * The attributes of a request with those of the scope around it.
	 * @param attributes attributes of the request
	 * @param context the context of its subscriber
	 * @return all attributes
	 */
	public static Map<String, Object> around(Map<String, Object> attributes, ContextView context) {
		LlmCallScope scope = CURRENT.find(context);
		return (scope != null) ? scope.with(attributes) : attributes;
	}

	/**
	 * A call with what the scope around it says and the call does not.
	 * @param call a call
	 * @param context the context of its subscriber
	 * @return the call
	 */
	public static LlmCall applyTo(LlmCall call, ContextView context) {
		LlmCallScope scope = CURRENT.find(context);
		return (scope != null) ? fill(call, LlmRateLimitAttributes.apply(LlmCall.to(call.provider()), scope.attributes))
				: call;
	}

	private static LlmCall fill(LlmCall call, LlmCall scope) {
		LlmCall silent = LlmCall.to(call.provider());
		return new LlmCall(call.provider(), (call.model() != null) ? call.model() : scope.model(),
				(call.account() != null) ? call.account() : scope.account(),
				(call.key() != null) ? call.key() : scope.key(),
				(call.priority() != silent.priority()) ? call.priority() : scope.priority(),
				(!call.tokens().equals(silent.tokens())) ? call.tokens() : scope.tokens(),
				(call.units() != silent.units()) ? call.units() : scope.units(),
				(call.maxWait() != null) ? call.maxWait() : scope.maxWait(), call.turn());
	}

}
