package io.github.llmratelimit.testing;

import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.ProviderSnapshot;
import org.assertj.core.api.AbstractAssert;

/**
 * What holds for a provider at every moment.
 */
public final class SnapshotAssert extends AbstractAssert<SnapshotAssert, ProviderSnapshot> {

	private SnapshotAssert(ProviderSnapshot actual) {
		super(actual, SnapshotAssert.class);
	}

	public static SnapshotAssert assertThat(ProviderSnapshot snapshot) {
		return new SnapshotAssert(snapshot);
	}

	/** No limit is exceeded, no count is negative. */
	public SnapshotAssert isWithinLimits() {
		this.actual.waiting().forEach((priority, count) -> isNotNegative("waiting " + priority, count));
		this.actual.accounts().forEach((name, level) -> {
			isWithinLimits(name, level);
			level.models().forEach((model, group) -> isWithinLimits(name + "/" + model, group));
		});
		return this;
	}

	/** Nothing waits and nothing is in flight. */
	public SnapshotAssert isIdle() {
		this.actual.waiting().forEach((priority, count) -> {
			if (count != 0) {
				failWithMessage("waiting %s: %d (expected: 0)", priority, count);
			}
		});
		this.actual.accounts().forEach((name, level) -> {
			hasInFlight(name, level, 0);
			level.models().forEach((model, group) -> hasInFlight(name + "/" + model, group, 0));
		});
		return this;
	}

	/**
	 * Exactly this many calls hold a permit.
	 * @param expected the sum over all accounts
	 */
	public SnapshotAssert hasInFlight(int expected) {
		int inFlight = this.actual.accounts().values().stream().mapToInt(LevelSnapshot::inFlight).sum();
		if (inFlight != expected) {
			failWithMessage("in flight: %d (expected: %d)", inFlight, expected);
		}
		return this;
	}

	private void isWithinLimits(String name, LevelSnapshot level) {
		isNotNegative(name + ": in flight", level.inFlight());
		if (level.maxConcurrency() != null && level.inFlight() > level.maxConcurrency()) {
			failWithMessage("%s: in flight %d (expected: <= %d)", name, level.inFlight(), level.maxConcurrency());
		}
		for (LimitSnapshot limit : level.limits()) {
			isNotNegative(name + ": " + limit.limit().name(), limit.used());
			if (limit.used() > limit.limit().amount()) {
				failWithMessage("%s: %s used %d (expected: <= %d)", name, limit.limit().name(), limit.used(),
						limit.limit().amount());
			}
		}
	}

	private void hasInFlight(String name, LevelSnapshot level, int expected) {
		if (level.inFlight() != expected) {
			failWithMessage("%s: in flight %d (expected: %d)", name, level.inFlight(), expected);
		}
	}

	private void isNotNegative(String name, long value) {
		if (value < 0) {
			failWithMessage("%s: %d (expected: >= 0)", name, value);
		}
	}

}
