package io.github.llmratelimit.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.actuate.RateLimitDescriptor.ProviderDescriptor;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code ratelimit}: limits, levels and queues of every provider. Shows keys
 * by their ids, and nothing that is secret.
 */
@Endpoint(id = "ratelimit", defaultAccess = Access.READ_ONLY)
public final class RateLimitEndpoint {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final CallAdmission admission;

	private final Map<String, ProviderInfo> infos;

	private final TimeSource time;

	/**
	 * Create the endpoint.
	 * @param admission whose state is shown
	 * @param infos the configured providers by name, in the order in which they are shown
	 * @param time the time
	 */
	public RateLimitEndpoint(CallAdmission admission, Map<String, ProviderInfo> infos, TimeSource time) {
		this.admission = admission;
		this.infos = new LinkedHashMap<>(infos);
		this.time = time;
	}

	/**
	 * All providers.
	 * @return the providers by name
	 */
	@ReadOperation
	public RateLimitDescriptor providers() {
		Map<String, ProviderSnapshot> snapshots = snapshots();
		Instant now = this.time.now();
		Map<String, ProviderDescriptor> providers = new LinkedHashMap<>();
		this.infos.forEach((name, info) -> {
			if (info.configured() || snapshots.containsKey(name)) {
				providers.put(name, ProviderDescriptor.of(info, snapshots.get(name), now));
			}
		});
		return new RateLimitDescriptor(providers);
	}

	/**
	 * One provider.
	 * @param provider its name
	 * @return the provider, {@code null} if there is none of this name
	 */
	@ReadOperation
	public @Nullable ProviderDescriptor provider(@Selector String provider) {
		return providers().providers().get(provider);
	}

	/**
	 * Change a limit, or pause or resume a provider, while calls wait and are in flight.
	 * Lasts until the application is restarted.
	 * @param provider its name
	 * @param action what to do
	 * @param account the account that is meant, {@code null} for all
	 * @param model the model group that is meant, {@code null} for the account's own
	 * limits
	 * @param limit name of the limit to set or to remove
	 * @param value amount of the limit to set
	 * @param duration how long to pause, {@code null} until it is resumed
	 * @param cause why it is paused
	 * @return the provider afterwards, or a message that says what is wrong
	 */
	@WriteOperation
	public WebEndpointResponse<?> change(@Selector String provider, Action action, @Nullable String account,
			@Nullable String model, @Nullable String limit, @Nullable Long value, @Nullable Duration duration,
			@Nullable String cause) {
		LimitScope level = OperatorRequest.level(provider, account, model);
		try {
			new OperatorRequest(level, limit, value, duration, cause).of(action, this.admission).block(TIMEOUT);
			return new WebEndpointResponse<>(provider(provider));
		}
		catch (IllegalArgumentException ex) {
			return new WebEndpointResponse<>(Map.of("message", String.valueOf(ex.getMessage())),
					WebEndpointResponse.STATUS_BAD_REQUEST);
		}
	}

	private Map<String, ProviderSnapshot> snapshots() {
		Map<String, ProviderSnapshot> snapshots = this.admission.snapshot()
			.collectMap(ProviderSnapshot::provider)
			.block(TIMEOUT);
		return (snapshots != null) ? snapshots : Map.of();
	}

	/**
	 * What an operator can do.
	 */
	public enum Action {

		/** Set the amount of a configured limit. */
		SET,

		/** Remove a configured limit. */
		REMOVE,

		/** Admit no call for a while. */
		PAUSE,

		/** End a pause. */
		RESUME

	}

}
