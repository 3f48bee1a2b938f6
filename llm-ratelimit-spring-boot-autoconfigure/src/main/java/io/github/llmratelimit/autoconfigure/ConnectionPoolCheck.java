package io.github.llmratelimit.autoconfigure;

import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.ProviderPlan;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.netty.http.HttpResources;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Compares the number of connections that Reactor Netty opens to a host with the calls
 * that may be in flight. Sees the pools that are beans and the global one, not those that
 * a customizer builds.
 */
final class ConnectionPoolCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(ConnectionPoolCheck.class);

	private final ConfiguredProviders providers;

	private final ObjectProvider<ClientHttpConnectorBuilder<?>> connectors;

	private final ObjectProvider<ConnectionProvider> pools;

	private final ObjectProvider<ReactorResourceFactory> resources;

	ConnectionPoolCheck(ConfiguredProviders providers, ObjectProvider<ClientHttpConnectorBuilder<?>> connectors,
			ObjectProvider<ConnectionProvider> pools, ObjectProvider<ReactorResourceFactory> resources) {
		this.providers = providers;
		this.connectors = connectors;
		this.pools = pools;
		this.resources = resources;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.connectors.getIfUnique() instanceof ReactorClientHttpConnectorBuilder) {
			this.providers.plans().forEach((plan) -> check(plan.provider(), concurrencyOf(plan)));
		}
	}

	private static int concurrencyOf(ProviderPlan plan) {
		return plan.accounts()
			.values()
			.stream()
			.map(LimitPlan::maxConcurrency)
			.mapToInt((most) -> (most != null) ? most : 0)
			.sum();
	}

	private void check(String provider, int concurrency) {
		int connections = (concurrency > 0) ? pool().maxConnections() : -1;
		if (connections > 0 && connections < concurrency) {
			logger.warn(("The connection pool holds %d connections to a host, but max-concurrency of %s admits %d calls"
					+ " at once: the others wait for a connection with their permit, and may fail."
					+ " Enlarge the pool or lower max-concurrency.")
				.formatted(connections, provider, concurrency));
		}
	}

	private ConnectionProvider pool() {
		ReactorResourceFactory factory = this.resources.getIfUnique();
		return this.pools.getIfUnique(() -> (factory != null) ? factory.getConnectionProvider() : HttpResources.get());
	}

}
