package io.github.llmratelimit.propagation;

import io.github.llmratelimit.HeldPermit;

/**
 * Lets the permit around a call travel. Found by its name. Thread-safe.
 */
public final class HeldPermitAccessor extends CallLocalAccessor<HeldPermit> {

	public HeldPermitAccessor() {
		super(HeldPermit.CURRENT);
	}

}
