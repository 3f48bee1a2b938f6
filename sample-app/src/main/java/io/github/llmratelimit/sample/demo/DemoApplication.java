package io.github.llmratelimit.sample.demo;

import java.util.Map;

import io.github.llmratelimit.sample.provider.EmbeddedSimulator;
import io.github.llmratelimit.simulator.ProviderSimulator;
import io.github.llmratelimit.simulator.SimulatorOptions;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Runs the comparison in a Spring Boot application, because the starter's client is an
 * ordinary, auto-configured one.
 */
@SpringBootApplication
@EnableConfigurationProperties(DemoOptions.class)
public class DemoApplication {

	/**
	 * Runs it from start to end.
	 * @param args the command line
	 * @return the exit code
	 */
	public static int run(String... args) {
		SpringApplication application = new SpringApplication(DemoApplication.class);
		application.setDefaultProperties(Map.of("spring.config.name", "demo"));
		application.addInitializers(new EmbeddedSimulator(DemoApplication::provider));
		try (ConfigurableApplicationContext context = application.run(args)) {
			boolean done = context.getBean(Comparison.class).run(System.out, System.console() != null);
			return done ? 0 : 1;
		}
	}

	private static SimulatorOptions provider(ConfigurableEnvironment environment) {
		return Binder.get(environment).bind("demo", DemoOptions.class).get().provider();
	}

	@Bean
	Comparison comparison(DemoOptions options, WebClient.Builder builder, ProviderSimulator provider) {
		return new Comparison(options, builder, provider);
	}

}
