package io.github.llmratelimit.sample.provider;

import java.util.Map;
import java.util.function.Function;

import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.simulator.SimulatorOptions;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Starts a simulated provider before any property is bound, tells where it listens in
 * {@code simulator.url}, and stops it with the application.
 */
public final class EmbeddedSimulator implements ApplicationContextInitializer<GenericApplicationContext> {

	private final Function<ConfigurableEnvironment, SimulatorOptions> options;

	public EmbeddedSimulator(Function<ConfigurableEnvironment, SimulatorOptions> options) {
		this.options = options;
	}

	@Override
	public void initialize(GenericApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		ProviderSimulator simulator = ProviderSimulator.start(this.options.apply(environment));
		environment.getPropertySources()
			.addFirst(new MapPropertySource("simulator", Map.of("simulator.url", simulator.baseUrl())));
		context.registerBean(ProviderSimulator.class, () -> simulator);
	}

}
