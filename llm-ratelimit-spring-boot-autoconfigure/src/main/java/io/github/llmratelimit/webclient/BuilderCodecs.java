package io.github.llmratelimit.webclient;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.http.codec.ClientCodecConfigurer;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * The codecs with which a client will write its requests, read at the first request so
 * that whatever was changed after the customizer is honored. Thread-safe.
 */
final class BuilderCodecs implements Supplier<List<HttpMessageWriter<?>>> {

	private static final List<HttpMessageWriter<?>> DEFAULTS = ExchangeStrategies.withDefaults().messageWriters();

	private volatile @Nullable ClientCodecConfigurer configurer;

	private volatile @Nullable List<HttpMessageWriter<?>> writers;

	void use(ClientCodecConfigurer configurer) {
		this.configurer = configurer;
		this.writers = null;
	}

	@Override
	public List<HttpMessageWriter<?>> get() {
		List<HttpMessageWriter<?>> writers = this.writers;
		if (writers == null) {
			ClientCodecConfigurer configurer = this.configurer;
			writers = (configurer != null) ? configurer.getWriters() : DEFAULTS;
			this.writers = writers;
		}
		return writers;
	}

}
