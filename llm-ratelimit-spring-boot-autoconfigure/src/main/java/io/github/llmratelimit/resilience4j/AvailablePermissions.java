package io.github.llmratelimit.resilience4j;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.ProviderPlan;
import io.github.llmratelimit.ProviderSnapshot;

/**
 * How many permissions one request could take now. Never blocks: while a remote store has
 * not answered, the number is the last known. Thread-safe.
 */
final class AvailablePermissions {

	private final CallAdmission admission;

	private final String provider;

	private final Set<String> accounts;

	private volatile int last;

	AvailablePermissions(CallAdmission admission, ProviderPlan plan, LimitScope scope) {
		this.admission = admission;
		this.provider = plan.provider();
		this.accounts = plan.accountsFor(scope);
	}

	/**
	 * The number of permissions.
	 * @return as many as the account with the most of them has
	 */
	int count() {
		this.admission.snapshot()
			.filter((provider) -> provider.provider().equals(this.provider))
			.next()
			.map(this::most)
			.onErrorComplete()
			.subscribe((most) -> this.last = most);
		return this.last;
	}

	private int most(ProviderSnapshot provider) {
		return this.accounts.stream()
			.map(provider.accounts()::get)
			.filter(Objects::nonNull)
			.mapToInt(AvailablePermissions::of)
			.max()
			.orElse(0);
	}

	private static int of(LevelSnapshot account) {
		if (account.state() != State.OPEN || account.limits().stream().anyMatch((limit) -> limit.remaining() == 0)) {
			return 0;
		}
		return (int) Math.min(
				least(account.limits(), true).orElseGet(() -> least(account.limits(), false).orElse(Integer.MAX_VALUE)),
				Integer.MAX_VALUE);
	}

	/* Of what a request weighs; where that is not limited, of requests. */
	private static OptionalLong least(List<LimitSnapshot> limits, boolean weighed) {
		return limits.stream().filter((limit) -> isWeighed(limit) == weighed).mapToLong(LimitSnapshot::remaining).min();
	}

	private static boolean isWeighed(LimitSnapshot limit) {
		return switch (limit.limit().counts()) {
			case TOKENS, INPUT_TOKENS, UNITS -> true;
			case REQUESTS, OUTPUT_TOKENS -> false;
		};
	}

}
