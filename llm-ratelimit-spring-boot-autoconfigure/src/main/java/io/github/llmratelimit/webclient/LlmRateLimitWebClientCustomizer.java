package io.github.llmratelimit.webclient;

import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Adds the filter to every {@link WebClient.Builder} that Spring Boot configures.
 */
public final class LlmRateLimitWebClientCustomizer implements WebClientCustomizer {

	private final LlmRateLimitFilter filter;

	/**
	 * Create a customizer.
	 * @param filter the filter
	 */
	public LlmRateLimitWebClientCustomizer(LlmRateLimitFilter filter) {
		this.filter = filter;
	}

	@Override
	public void customize(WebClient.Builder builder) {
		BuilderCodecs codecs = new BuilderCodecs();
		builder.codecs(codecs::use).filter(this.filter.with(codecs));
	}

}
