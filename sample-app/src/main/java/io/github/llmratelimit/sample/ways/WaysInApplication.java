package io.github.llmratelimit.sample.ways;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.sample.provider.EmbeddedSimulator;
import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.simulator.SimulatorOptions;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An application that calls its provider in every way there is.
 */
@SpringBootApplication
public class WaysInApplication {

	/**
	 * Runs it from start to end.
	 * @param args the command line
	 * @return the exit code
	 */
	public static int run(String... args) {
		SpringApplication application = new SpringApplication(WaysInApplication.class);
		application.setDefaultProperties(Map.of("spring.config.name", "ways-in"));
		application.addInitializers(new EmbeddedSimulator((environment) -> SimulatorOptions.builder()
			.requestsPerMinute(environment.getRequiredProperty("ways-in.requests-per-minute", Integer.class))
			.minute(environment.getRequiredProperty("ways-in.minute", Duration.class))
			.build()));
		try (ConfigurableApplicationContext context = application.run(args)) {
			return context.getBean(WaysIn.class).run(System.out) ? 0 : 1;
		}
	}

	@Bean
	WaysIn waysIn(List<WayIn> ways, @Value("${ways-in.calls}") int calls, ProviderSimulator provider,
			CompletedCalls completed) {
		return new WaysIn(ways, calls, provider, completed);
	}

}
