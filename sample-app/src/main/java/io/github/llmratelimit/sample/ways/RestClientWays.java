package io.github.llmratelimit.sample.ways;

import java.nio.charset.StandardCharsets;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.RequestEntity;
import org.springframework.util.StreamUtils;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/**
 * What is built from the injected {@link RestClient.Builder} or
 * {@link RestTemplateBuilder} is limited.
 */
@Configuration(proxyBeanMethods = false)
class RestClientWays {

	private final RestClient client;

	RestClientWays(RestClient.Builder builder, @Value("${simulator.url}") String url) {
		this.client = builder.baseUrl(url).build();
	}

	@Bean
	WayIn restClient() {
		return WayIn.blocking("RestClient",
				(question) -> post(Question.json(question)).retrieve().requiredBody(String.class));
	}

	@Bean
	WayIn restClientStream() {
		return WayIn.blocking("RestClient, stream",
				(question) -> post(Question.streaming(question)).exchangeForRequiredValue(
						(request, response) -> StreamUtils.copyToString(response.getBody(), StandardCharsets.UTF_8)));
	}

	private RestClient.RequestBodySpec post(String json) {
		return this.client.post().uri(Question.PATH).contentType(MediaType.APPLICATION_JSON).body(json);
	}

	@Bean
	WayIn blockingHttpInterface() {
		Completions completions = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(this.client))
			.build()
			.createClient(Completions.class);
		return WayIn.blocking("HTTP interface, blocking", (question) -> completions.create(Question.json(question)));
	}

	@Bean
	WayIn restTemplate(RestTemplateBuilder builder, @Value("${simulator.url}") String url) {
		RestTemplate template = builder.rootUri(url)
			.defaultHeader(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON_VALUE)
			.build();
		return WayIn.blocking("RestTemplate",
				(question) -> template
					.exchange(RequestEntity.post(Question.PATH).body(Question.json(question)), String.class)
					.getBody());
	}

	interface Completions {

		@PostExchange(url = Question.PATH, contentType = MediaType.APPLICATION_JSON_VALUE)
		String create(@RequestBody String request);

	}

}
