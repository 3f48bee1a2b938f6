package io.github.llmratelimit.webclient;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.http.codec.ClientCodecConfigurer;
import org.springframework.http.codec.HttpMessageReader;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.web.reactive.function.client.ExchangeStrategies;

/**
 * The codecs with which a client will write its requests and read its responses, taken at
 * the first request so that whatever was changed after the customizer is honored.
 * Thread-safe.
 */
final class BuilderCodecs implements ExchangeStrategies {

	private static final ExchangeStrategies DEFAULTS = ExchangeStrategies.withDefaults();

	private volatile @Nullable ClientCodecConfigurer configurer;

	private volatile @Nullable List<HttpMessageWriter<?>> writers;

	void use(ClientCodecConfigurer configurer) {
		this.configurer = configurer;
		this.writers = null;
	}

	@Override
	public List<HttpMessageReader<?>> messageReaders() {
		ClientCodecConfigurer configurer = this.configurer;
		return (configurer != null) ? configurer.getReaders() : DEFAULTS.messageReaders();
	}

	@Override
	public List<HttpMessageWriter<?>> messageWriters() {
		List<HttpMessageWriter<?>> writers = this.writers;
		if (writers == null) {
			ClientCodecConfigurer configurer = this.configurer;
			writers = (configurer != null) ? configurer.getWriters() : DEFAULTS.messageWriters();
			this.writers = writers;
		}
		return writers;
	}

}
