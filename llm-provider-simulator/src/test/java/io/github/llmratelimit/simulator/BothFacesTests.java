package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the dialects and the script behind a real {@code WebClient}, the same in
 * process and over HTTP.
 */
class BothFacesTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final SimulatorOptions.Builder options = SimulatorOptions.builder().outputTokens(OutputTokens.fixed(9));

	private Runnable stop = () -> {
	};

	private WebClient client = WebClient.create();

	private Supplier<Ledger> ledger = () -> {
		throw new IllegalStateException();
	};

	private ScriptPlayer script = (responses) -> {
	};

	private ScriptPlayer scriptForever = (responses) -> {
	};

	@AfterEach
	void stop() {
		this.stop.run();
	}

	@ParameterizedTest
	@MethodSource("dialectsAndFaces")
	void answers(Wording wording, Face face) {
		start(face, this.options.dialect(wording.dialect).requestsPerMinute(1));
		ResponseEntity<String> answer = post(wording.path, wording.body);
		assertThat(answer.getStatusCode().value()).isEqualTo(200);
		assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(answer.getBody()).contains("the sky was red", wording.usage);
		wording.headers.forEach((name) -> assertThat(answer.getHeaders().getFirst(name)).isNotNull());
	}

	@ParameterizedTest
	@MethodSource("dialectsAndFaces")
	void refuses(Wording wording, Face face) {
		start(face, this.options.dialect(wording.dialect).requestsPerMinute(1));
		post(wording.path, wording.body);
		ResponseEntity<String> refusal = post(wording.path, wording.body);
		assertThat(refusal.getStatusCode().value())
			.isEqualTo((wording.dialect == SimulatedDialect.QIANFAN) ? 200 : 429);
		assertThat(refusal.getBody()).contains(wording.refusal);
		assertThat(this.ledger.get().refusedRequests()).isEqualTo(1);
	}

	@ParameterizedTest
	@MethodSource("dialectsAndFaces")
	void streams(Wording wording, Face face) {
		start(face, this.options.dialect(wording.dialect).chunkInterval(Duration.ofMillis(1)));
		List<String> events = Objects.requireNonNull(this.client.post()
			.uri(wording.streamPath)
			.header("x-dashscope-sse", "enable")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(wording.streamBody)
			.retrieve()
			.bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {
			})
			.mapNotNull(ServerSentEvent::data)
			.collectList()
			.block(TIMEOUT));
		assertThat(events).anyMatch((event) -> event.contains("the sky was red"))
			.anyMatch((event) -> event.contains(wording.streamUsage));
	}

	private static Stream<Arguments> dialectsAndFaces() {
		return Wording.ALL.stream().flatMap((wording) -> Stream.of(Face.values()).map((f) -> Arguments.of(wording, f)));
	}

	@ParameterizedTest
	@EnumSource
	void spendsInputAndOutput(Face face) {
		start(face,
				this.options.dialect(SimulatedDialect.ANTHROPIC)
					.inputTokensPerMinute(1000)
					.outputTokensPerMinute(9)
					.minute(Duration.ofHours(1)));
		Wording wording = Wording.of(SimulatedDialect.ANTHROPIC);
		ResponseEntity<String> first = post(wording.path, wording.body);
		assertThat(first.getHeaders().getFirst("anthropic-ratelimit-input-tokens-limit")).isEqualTo("1000");
		assertThat(first.getHeaders().getFirst("anthropic-ratelimit-output-tokens-limit")).isEqualTo("9");
		ResponseEntity<String> second = post(wording.path, wording.body);
		assertThat(second.getStatusCode().value()).isEqualTo(429);
		assertThat(second.getBody()).contains("rate limit of 9 output tokens per minute");
		assertThat(second.getHeaders().getFirst("retry-after")).isNotNull();
	}

	@ParameterizedTest
	@EnumSource
	void playsAScriptThenGoesOn(Face face) {
		Wording openAi = Wording.of(SimulatedDialect.OPENAI);
		start(face, this.options);
		this.script.play(ScriptedResponse.json(200, "{\"error_code\":18}"),
				ScriptedResponse.parse("HTTP/1.1 429 Too Many Requests\nretry-after: 1\nretry-after: x\n\nno json"));
		ResponseEntity<String> first = post("/anything?x=y", "not json");
		assertThat(first.getStatusCode().value()).isEqualTo(200);
		assertThat(first.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(first.getBody()).isEqualTo("{\"error_code\":18}");
		ResponseEntity<String> second = post(openAi.path, openAi.body);
		assertThat(second.getStatusCode().value()).isEqualTo(429);
		assertThat(second.getHeaders().get("retry-after")).containsExactly("1", "x");
		assertThat(second.getHeaders().getContentType()).isNull();
		assertThat(second.getBody()).isEqualTo("no json");
		assertThat(post(openAi.path, openAi.body).getBody()).contains("the sky was red");
		assertThat(this.ledger.get().scripted()).isEqualTo(2);
		assertThat(this.ledger.get().accepted()).isEqualTo(1);
		assertThat(this.ledger.get().arrivals()).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource
	void playsTheLastForever(Face face) {
		start(face, this.options);
		this.scriptForever.play(ScriptedResponse.json(429, "{}"), ScriptedResponse.json(503, "{}"));
		assertThat(Stream.generate(() -> post("/v1/messages", "{}").getStatusCode().value()).limit(4))
			.containsExactly(429, 503, 503, 503);
	}

	@ParameterizedTest
	@EnumSource
	void playsAnEmptyBody(Face face) {
		start(face, this.options);
		this.script.play(ScriptedResponse.parse("HTTP/1.1 529 Overloaded\ncontent-type: text/plain\n\n"));
		ResponseEntity<String> answer = post("/v1/messages", "{}");
		assertThat(answer.getStatusCode().value()).isEqualTo(529);
		assertThat(answer.getBody()).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void playsAStreamThatEndsInAnError(Face face) {
		start(face, this.options.chunkInterval(Duration.ofMillis(1)));
		this.script.play(ScriptedResponse.events("event: message_start\ndata: {}\n\n",
				"event: error\ndata: {\"type\":\"overloaded_error\"}\n\n"));
		List<ServerSentEvent<String>> events = this.client.post()
			.uri("/v1/messages")
			.retrieve()
			.bodyToFlux(new ParameterizedTypeReference<ServerSentEvent<String>>() {
			})
			.collectList()
			.block(TIMEOUT);
		assertThat(events).extracting(ServerSentEvent::event).containsExactly("message_start", "error");
		assertThat(events).extracting(ServerSentEvent::data).endsWith("{\"type\":\"overloaded_error\"}");
	}

	private ResponseEntity<String> post(String path, String body) {
		return Objects.requireNonNull(this.client.post()
			.uri(path)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchangeToMono((response) -> response.toEntity(String.class))
			.block(TIMEOUT));
	}

	private void start(Face face, SimulatorOptions.Builder options) {
		if (face == Face.HTTP) {
			ProviderSimulator simulator = ProviderSimulator.start(options.build());
			this.client = WebClient.create(simulator.baseUrl());
			this.ledger = simulator::ledger;
			this.script = simulator::script;
			this.scriptForever = simulator::scriptForever;
			this.stop = simulator::close;
		}
		else {
			SimulatedExchange exchange = new SimulatedExchange(options.build(), Schedulers.parallel());
			this.client = WebClient.builder().exchangeFunction(exchange).build();
			this.ledger = exchange::ledger;
			this.script = exchange::script;
			this.scriptForever = exchange::scriptForever;
		}
	}

	enum Face {

		IN_PROCESS, HTTP

	}

	private interface ScriptPlayer {

		void play(ScriptedResponse... responses);

	}

	/** What each dialect is asked, and what its answers hold. JSON with single quotes. */
	private record Wording(SimulatedDialect dialect, String path, String body, String streamPath, String streamBody,
			String usage, String streamUsage, String refusal, List<String> headers) {

		private static final String CHAT = "{'model':'m','messages':[{'role':'user','content':'four'}]";

		private static final String OPENAI_USAGE = "'usage':{'prompt_tokens':4,'completion_tokens':9,'total_tokens':13}";

		private static final String ASK_USAGE = ",'stream':true,'stream_options':{'include_usage':true}}";

		private static final String NATIVE = "/api/v1/services/aigc/text-generation/generation";

		static final List<Wording> ALL = List.of(
				new Wording(SimulatedDialect.OPENAI, "/v1/chat/completions", CHAT + "}", "/v1/chat/completions",
						CHAT + ASK_USAGE, OPENAI_USAGE, OPENAI_USAGE, "'code':'rate_limit_exceeded'",
						List.of("x-ratelimit-reset-requests")),
				new Wording(SimulatedDialect.AZURE_OPENAI, "/openai/deployments/d/chat/completions?api-version=1",
						CHAT + "}", "/openai/deployments/d/chat/completions?api-version=1", CHAT + ASK_USAGE,
						OPENAI_USAGE, OPENAI_USAGE, "call rate limit", List.of("x-ratelimit-reset-requests")),
				new Wording(SimulatedDialect.ANTHROPIC, "/v1/messages", CHAT + ",'max_tokens':100}", "/v1/messages",
						CHAT + ",'max_tokens':100,'stream':true}", "'output_tokens':9}", "'usage':{'output_tokens':9}",
						"'type':'rate_limit_error'", List.of("date", "anthropic-ratelimit-requests-reset")),
				new Wording(SimulatedDialect.GEMINI, "/v1beta/models/m:generateContent",
						"{'contents':[{'parts':[{'text':'four'}]}]}", "/v1beta/models/m:streamGenerateContent?alt=sse",
						"{'contents':[{'parts':[{'text':'four'}]}]}", "'totalTokenCount':13", "'totalTokenCount':13",
						"'retryDelay':'", List.of()),
				new Wording(SimulatedDialect.DASHSCOPE, NATIVE,
						"{'model':'m','input':{'messages':[{'content':'four'}]}}", NATIVE,
						"{'model':'m','input':{'messages':[{'content':'four'}]}}",
						"'usage':{'input_tokens':4,'output_tokens':9,'total_tokens':13}",
						"'usage':{'input_tokens':4,'output_tokens':9,'total_tokens':13}", "Throttling.RateQuota",
						List.of()),
				new Wording(SimulatedDialect.DASHSCOPE, "/compatible-mode/v1/chat/completions", CHAT + "}",
						"/compatible-mode/v1/chat/completions", CHAT + ASK_USAGE, OPENAI_USAGE, OPENAI_USAGE,
						"'code':'limit_requests'", List.of()),
				new Wording(SimulatedDialect.QIANFAN, "/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/m?access_token=k",
						CHAT + "}", "/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/m?access_token=k",
						CHAT + ",'stream':true}", OPENAI_USAGE, OPENAI_USAGE, "'error_code':336501",
						List.of("x-ratelimit-remaining-requests")),
				new Wording(SimulatedDialect.ZHIPU, "/api/paas/v4/chat/completions", CHAT + "}",
						"/api/paas/v4/chat/completions", CHAT + ",'stream':true}", OPENAI_USAGE, OPENAI_USAGE,
						"'code':'1302'", List.of()));

		Wording {
			body = body.replace('\'', '"');
			streamBody = streamBody.replace('\'', '"');
			usage = usage.replace('\'', '"');
			streamUsage = streamUsage.replace('\'', '"');
			refusal = refusal.replace('\'', '"');
		}

		static Wording of(SimulatedDialect dialect) {
			return ALL.stream().filter((wording) -> wording.dialect == dialect).findFirst().orElseThrow();
		}

		@Override
		public String toString() {
			return this.path;
		}

	}

}
