package io.github.llmratelimit;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Something that calls find around them: in the Reactor context, else on their thread.
 * Thread-safe.
 *
 * @param <V> type of the value, which is its key in the context as well
 */
public final class CallLocal<V> {

	private final Class<V> key;

	private final ThreadLocal<@Nullable V> current = new ThreadLocal<>();

	CallLocal(Class<V> key) {
		this.key = key;
	}

	/**
	 * Its key in the Reactor context.
	 * @return the key
	 */
	public Class<V> key() {
		return this.key;
	}

	/**
	 * The value of this thread.
	 * @return the value, {@code null} if there is none
	 */
	public @Nullable V get() {
		return this.current.get();
	}

	/**
	 * Set the value of this thread.
	 * @param value the value, {@code null} for none
	 */
	public void set(@Nullable V value) {
		if (value != null) {
			this.current.set(value);
		}
		else {
			this.current.remove();
		}
	}

	Context put(Context context, V value) {
		return context.put(this.key, value);
	}

	<T extends @Nullable Object> T during(V value, Supplier<T> action) {
		V outer = get();
		set(value);
		try {
			return action.get();
		}
		finally {
			set(outer);
		}
	}

	@Nullable V find(ContextView context) {
		return context.hasKey(this.key) ? context.get(this.key) : get();
	}

}
