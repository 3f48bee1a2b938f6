package io.github.llmratelimit.token;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MediaTests {

	private static final String OPENAI = "{\"messages\":[{\"role\":\"user\",\"content\":[{\"image_url\":{\"url\":\"data:image/x;base64,%s\"%s},\"type\":\"image_url\"}]}]}";

	@ParameterizedTest
	@CsvSource({ "png, 64, 64, 1", "png, 512, 512, 1", "png, 513, 512, 2", "jpg, 1024, 1024, 4", "jpg, 2048, 4096, 6",
			"gif, 4000, 100, 4", "png, 768, 2048, 8" })
	void measuresPictures(String format, int width, int height, int tiles) throws IOException {
		RequestFacts facts = scan(OPENAI.formatted(picture(format, width, height), ""));
		assertThat(facts.images()).isOne();
		assertThat(facts.imageTiles()).isEqualTo(tiles);
		assertThat(new HeuristicTokenEstimator().inputTokens(facts)).isEqualTo(7 + 85 + 170L * tiles);
	}

	@Test
	void measuresWebp() {
		assertThat(scan(OPENAI.formatted(webp("VP8X", 24, 1023, 27, 511), "")).imageTiles()).isEqualTo(2);
		assertThat(scan(OPENAI.formatted(webp("VP8 ", 26, 1024, 28, 512), "")).imageTiles()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"{\"messages\":[{\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"%s\"}}]}]}",
			"{\"contents\":[{\"parts\":[{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"%s\"}}]}]}",
			"{\"messages\":[{\"content\":[{\"image\":{\"format\":\"png\",\"source\":{\"bytes\":\"%s\"}}}]}]}",
			"{\"messages\":[{\"content\":\"\",\"images\":[\"%s\"]}]}",
			"{\"input\":[{\"content\":[{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,%s\"}]}]}" })
	void findsPicturesInEveryLanguage(String body) throws IOException {
		RequestFacts facts = scan(body.formatted(picture("png", 1000, 500)));
		assertThat(facts.images()).isOne();
		assertThat(facts.imageTiles()).isEqualTo(2);
		assertThat(facts.texts()).noneMatch((text) -> text.length() > 20);
	}

	@Test
	void readsEscapedBase64() throws IOException {
		String picture = picture("png", 1000, 500).replace("/", "\\/");
		assertThat(scan(OPENAI.formatted(picture, "")).imageTiles()).isEqualTo(2);
	}

	@Test
	void aPictureWithoutSizeIsOfUsualSize() throws IOException {
		assertThat(
				scan("{\"messages\":[{\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x\"}}]}]}")
					.imageTiles())
			.isEqualTo(6);
		String jpeg = picture("jpg", 1000, 500);
		for (int length = 0; length < 400; length += 7) {
			assertThat(scan(OPENAI.formatted(jpeg.substring(0, length), "")).images()).isOne();
		}
	}

	@Test
	void aPictureOfLowDetailHasNoTiles() throws IOException {
		RequestFacts facts = scan(OPENAI.formatted(picture("png", 2000, 2000), ",\"detail\":\"low\""));
		assertThat(facts.images()).isOne();
		assertThat(facts.imageTiles()).isZero();
		assertThat(scan(OPENAI.formatted(picture("png", 2000, 2000), ",\"detail\":\"high\"")).imageTiles())
			.isEqualTo(4);
	}

	@ParameterizedTest
	@CsvSource({ "RIFF    WAVE, 96000, 2", "ID3, 96000, 6", "OggS, 31998, 2", "text, 96000, 0" })
	void measuresSound(String magic, int bytes, long seconds) {
		byte[] file = new byte[bytes];
		System.arraycopy(magic.getBytes(StandardCharsets.US_ASCII), 0, file, 0, magic.length());
		RequestFacts facts = scan(
				"{\"messages\":[{\"content\":[{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"%s\",\"format\":\"wav\"}}]}]}"
					.formatted(Base64.getEncoder().encodeToString(file)));
		assertThat(facts.soundSeconds()).isEqualTo(seconds);
		assertThat(new HeuristicTokenEstimator().inputTokens(facts)).isEqualTo(7 + 10 * seconds);
	}

	private static String picture(String format, int width, int height) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), format, out);
		return Base64.getEncoder().encodeToString(out.toByteArray());
	}

	private static String webp(String form, int widthAt, int width, int heightAt, int height) {
		byte[] file = new byte[40];
		System.arraycopy(("RIFF    WEBP" + form).getBytes(StandardCharsets.US_ASCII), 0, file, 0, 16);
		file[widthAt] = (byte) width;
		file[widthAt + 1] = (byte) (width >> 8);
		file[heightAt] = (byte) height;
		file[heightAt + 1] = (byte) (height >> 8);
		return Base64.getEncoder().encodeToString(file);
	}

	private static RequestFacts scan(String body) {
		return RequestFacts.scan(body.getBytes(StandardCharsets.UTF_8));
	}

}
