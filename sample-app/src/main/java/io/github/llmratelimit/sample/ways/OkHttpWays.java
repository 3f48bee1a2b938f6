package io.github.llmratelimit.sample.ways;

import java.io.IOException;
import java.util.Objects;

import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A bean of {@link OkHttpClient} is limited.
 */
@Configuration(proxyBeanMethods = false)
class OkHttpWays {

	private static final MediaType JSON = MediaType.get("application/json");

	@Bean
	OkHttpClient okHttpClient() {
		return new OkHttpClient();
	}

	@Bean
	WayIn okHttp(OkHttpClient client, @Value("${simulator.url}") String url) {
		return WayIn.blocking("OkHttp",
				(question) -> answer(client,
						new Request.Builder().url(url + Question.PATH)
							.post(RequestBody.create(Question.json(question), JSON))
							.build()));
	}

	private static String answer(OkHttpClient client, Request request) throws IOException {
		try (Response response = client.newCall(request).execute()) {
			return Objects.requireNonNull(response.body()).string();
		}
	}

}
