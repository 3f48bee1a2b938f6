package io.github.llmratelimit.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.llmratelimit.CallAdmission;
import io.github.llmratelimit.ProviderSnapshot;
import io.github.llmratelimit.actuate.RateLimitDescriptor.ProviderDescriptor;
import io.github.llmratelimit.time.TimeSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

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

	private Map<String, ProviderSnapshot> snapshots() {
		Map<String, ProviderSnapshot> snapshots = this.admission.snapshot()
			.collectMap(ProviderSnapshot::provider)
			.block(TIMEOUT);
		return (snapshots != null) ? snapshots : Map.of();
	}

}
