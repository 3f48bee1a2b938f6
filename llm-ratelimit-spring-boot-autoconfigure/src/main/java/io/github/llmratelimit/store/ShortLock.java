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

	private static final int LOOKS_BEFORE_YIELD = 32;

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

	/* A holder that has lost its processor gets it back sooner if others yield theirs. */
	private synchronized void lockContended() {
		int looks = 0;
		while (!tryLock()) {
			if (++looks % LOOKS_BEFORE_YIELD == 0) {
				Thread.yield();
			}
		}
	}

	private boolean tryLock() {
		return (int) HELD.getOpaque(this) == 0 && HELD.weakCompareAndSetAcquire(this, 0, 1);
	}

}
