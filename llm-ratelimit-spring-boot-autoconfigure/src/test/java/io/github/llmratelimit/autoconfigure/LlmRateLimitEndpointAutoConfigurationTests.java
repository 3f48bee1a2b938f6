package io.github.llmratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.actuate.RateLimitDescriptor.ProviderDescriptor;
import io.github.llmratelimit.actuate.RateLimitEndpoint;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LlmRateLimitEndpointAutoConfiguration}.
 */
class LlmRateLimitEndpointAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitWebClientAutoConfiguration.class, LlmRateLimitEndpointAutoConfiguration.class))
		.withPropertyValues("llm.ratelimit.providers.acme.base-urls=https://api.acme.example");

	private final ApplicationContextRunner exposed = this.runner
		.withPropertyValues("management.endpoints.web.exposure.include=ratelimit");

	@Test
	void showsProvidersAndIntegrations() {
		this.exposed.run((context) -> {
			ProviderDescriptor acme = context.getBean(RateLimitEndpoint.class).provider("acme");
			assertThat(acme.dialect()).isEqualTo("generic");
			assertThat(acme.mode()).isEqualTo("enforce");
			assertThat(acme.integrations()).containsExactly("webclient");
		});
	}

	@Test
	void showsProviderWhoseModeIsOff() {
		this.exposed.withPropertyValues("llm.ratelimit.providers.acme.mode=off").run((context) -> {
			ProviderDescriptor acme = context.getBean(RateLimitEndpoint.class).provider("acme");
			assertThat(acme.mode()).isEqualTo("off");
			assertThat(acme.accounts()).isEmpty();
		});
	}

	@Test
	void isNotExposedByDefault() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitEndpoint.class));
	}

	@Test
	void isSwitchedOffByProperty() {
		this.exposed.withPropertyValues("management.endpoint.ratelimit.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(RateLimitEndpoint.class));
		this.exposed.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitEndpoint.class));
	}

	@Test
	void backsOffForOwnBean() {
		RateLimitEndpoint own = new RateLimitEndpoint(mock(LlmRateLimiter.class), Map.of(), mock());
		this.exposed.withBean("own", RateLimitEndpoint.class, () -> own)
			.run((context) -> assertThat(context).getBean(RateLimitEndpoint.class).isSameAs(own));
	}

	@Test
	void isAbsentWithoutActuator() {
		for (String absent : List.of("org.springframework.boot.actuate",
				"org.springframework.boot.actuate.autoconfigure")) {
			this.exposed.withClassLoader(new FilteredClassLoader(absent))
				.run((context) -> assertThat(context).hasNotFailed()
					.hasSingleBean(LlmRateLimiter.class)
					.doesNotHaveBean("llmRateLimitEndpoint"));
		}
	}

	@Test
	void worksWithoutWebClient() {
		this.exposed.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive"))
			.run((context) -> assertThat(context.getBean(RateLimitEndpoint.class).provider("acme").integrations())
				.isEmpty());
	}

}
