package io.github.llmratelimit.autoconfigure;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.llmratelimit.webclient.LlmRateLimitFilter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that has nothing but the starter. A class loader of its own sees only
 * what the starter brings: hiding classes would not be enough, because the kind of an
 * application follows from files as well.
 */
class StarterClassPathTests {

	private static final Pattern NOT_IN_STARTER = Pattern.compile(
			"(spring-boot-(webflux|restclient|web-server|webtestclient|actuator.*|health|micrometer-.*|reactor.*|netty|test.*)"
					+ "|langchain4j-.*|resilience4j-(?!core|retry|ratelimiter).*"
					+ "|spring-webmvc|jakarta.servlet-api|reactor-netty-.*|netty-.*|jtokkit"
					+ "|openai-java-.*|anthropic-java-.*|okhttp|spring-ai-.*)-\\d.*\\.jar");

	@Test
	void staysNonWebApplicationWithLimitedWebClient() throws Exception {
		assertThat(runWithStarterOnly()).isEqualTo(List.of("NONE", "limited"));
	}

	private static Object runWithStarterOnly() throws Exception {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		try (URLClassLoader starter = new URLClassLoader(starterClassPath(), ClassLoader.getPlatformClassLoader())) {
			thread.setContextClassLoader(starter);
			return starter.loadClass(Application.class.getName()).getMethod("run").invoke(null);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private static URL[] starterClassPath() {
		Stream<File> files = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(File::new)
			.filter((file) -> !NOT_IN_STARTER.matcher(file.getName()).matches());
		return files.map(File::toURI).map(StarterClassPathTests::toUrl).toArray(URL[]::new);
	}

	private static URL toUrl(URI uri) {
		try {
			return uri.toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * The application, loaded by the class loader of the starter.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Application {

		/**
		 * Start and stop.
		 * @return the kind of the application, and whether its client is limited
		 */
		public static List<String> run() {
			SpringApplication application = new SpringApplication(Application.class);
			WebApplicationType type = application.getWebApplicationType();
			try (ConfigurableApplicationContext context = application
				.run("--llm.ratelimit.providers.acme.base-urls=https://api.acme.example")) {
				boolean[] limited = new boolean[1];
				context.getBean(WebClient.Builder.class)
					.filters((filters) -> limited[0] = filters.stream().anyMatch(LlmRateLimitFilter.class::isInstance));
				return List.of(type.name(), limited[0] ? "limited" : "not limited");
			}
		}

	}

}
