package io.github.llmratelimit.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for sections of some dozen nanoseconds that call nothing. Not reentrant, not
 * fair. Whoever finds it taken looks again instead of parking: a thread of an event loop
 * is not put to sleep for what is over before it would wake. One thread looks at a time,
 * the others wait for their turn at the monitor.
 */
final class ShortLock {

	private static final VarHandle HELD;

	static {
		try {
			HELD = MethodHandles.lookup().findVarHandle(ShortLock.class, "held", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	@SuppressWarnings("unused") // by the handle
	private int held;

	void lock() {
		if (!HELD.weakCompareAndSetAcquire(this, 0, 1)) {
			lockContended();
		}
	}

	void unlock() {
		HELD.setRelease(this, 0);
	}

	private synchronized void lockContended() {
		boolean locked = false;
		while (!locked) {
			locked = (int) HELD.getOpaque(this) == 0 && HELD.weakCompareAndSetAcquire(this, 0, 1);
		}
	}

}
