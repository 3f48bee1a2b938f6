package io.github.llmratelimit.webclient;

import org.junit.jupiter.api.Test;

import org.springframework.core.codec.CharSequenceEncoder;
import org.springframework.core.codec.StringDecoder;
import org.springframework.http.codec.ClientCodecConfigurer;
import org.springframework.http.codec.DecoderHttpMessageReader;
import org.springframework.http.codec.EncoderHttpMessageWriter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BuilderCodecs}.
 */
class BuilderCodecsTests {

	private final BuilderCodecs codecs = new BuilderCodecs();

	@Test
	void areTheDefaultsOfAClientThatWasNotAskedForItsOwn() {
		assertThat(this.codecs.messageReaders()).isNotEmpty();
		assertThat(this.codecs.messageWriters()).isNotEmpty();
	}

	@Test
	void areThoseOfTheClientAlsoIfTheyWereChangedLater() {
		DecoderHttpMessageReader<String> reader = new DecoderHttpMessageReader<>(StringDecoder.textPlainOnly());
		EncoderHttpMessageWriter<CharSequence> writer = new EncoderHttpMessageWriter<>(
				CharSequenceEncoder.textPlainOnly());
		ClientCodecConfigurer configurer = ClientCodecConfigurer.create();
		this.codecs.use(configurer);
		configurer.customCodecs().register(reader);
		configurer.customCodecs().register(writer);
		assertThat(this.codecs.messageReaders()).anyMatch((each) -> each == reader);
		assertThat(this.codecs.messageWriters()).anyMatch((each) -> each == writer);
	}

}
