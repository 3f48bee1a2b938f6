package io.github.llmratelimit.restclient;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.FallbackAnswer;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitPlan;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmFallback;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.testing.RecordedCalls.Completed;
import io.github.llmratelimit.testing.ScriptedExchanges;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.InterceptingClientHttpRequestFactory;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LlmRateLimitInterceptor} in real clients, with a provider that answers
 * what it is told.
 */
class LlmRateLimitInterceptorTests {

	private static final URI ELSEWHERE = URI.create("https://example.org/files");

	private static final TokenUsage USAGE = new TokenUsage(100, 50);

	private final Wire wire = new Wire();

	private ScriptedExchanges exchanges = new ScriptedExchanges();

	@Test
	void settlesByTheUsageOfTheAnswer() {
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThat(ask().body(String.class)).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(this.wire.bodies()).containsExactly(ScriptedExchanges.QUESTION);
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
		assertThat(this.wire.closed).isEqualTo(1);
	}

	@Test
	void anAnswerThatNobodyReadsTellsItsUsageAllTheSame() {
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		ask().toBodilessEntity();
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
	}

	@Test
	void aStreamIsReadAsItComes() {
		this.wire.answer(200, "text/event-stream", ScriptedExchanges.EVENT + ScriptedExchanges.EVENT);
		String first = question(client()).exchange((request, response) -> {
			assertThat(completed()).isEmpty();
			return new String(response.getBody().readNBytes(ScriptedExchanges.EVENT.length()), StandardCharsets.UTF_8);
		});
		assertThat(first).isEqualTo(ScriptedExchanges.EVENT);
		assertThat(completed()).singleElement().satisfies((call) -> {
			assertThat(call.outcome()).isEqualTo(CallOutcome.CANCELLED);
			assertThat(Objects.requireNonNull(call.usage()).output()).isPositive();
		});
		assertThat(this.wire.closed).isEqualTo(1);
	}

	@Test
	void aStreamThatIsHandedOutEndsItsPermitWhenItIsClosed() throws IOException {
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		try (InputStream body = question(client()).exchange((request, response) -> response.getBody(), false)) {
			assertThat(completed()).isEmpty();
			assertThat(body.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(ScriptedExchanges.ANSWER);
		}
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
	}

	@Test
	void aRefusalIsSentAgainOnTheSameThreadThroughTheInterceptorsInside() {
		this.wire.answer(429, "application/json", ScriptedExchanges.RATE_LIMITED);
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		List<Thread> threads = new ArrayList<>();
		RestClient client = builder().requestInterceptor((request, body, execution) -> {
			threads.add(Thread.currentThread());
			return execution.execute(request, body);
		}).build();
		assertThat(question(client).retrieve().body(String.class)).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
		assertThat(this.wire.bodies()).containsExactly(ScriptedExchanges.QUESTION, ScriptedExchanges.QUESTION);
		assertThat(completed()).extracting(Completed::outcome)
			.containsExactly(CallOutcome.THROTTLED, CallOutcome.SUCCESS);
		assertThat(this.wire.closed).as("connections that are free again").isEqualTo(2);
	}

	@Test
	void theLastRefusalIsTheCallersToRead() {
		this.wire.answer(429, "application/json", ScriptedExchanges.NO_QUOTA);
		ResponseEntity<String> response = question(client())
			.exchange((request, answer) -> ResponseEntity.status(answer.getStatusCode())
				.contentType(answer.getHeaders().getContentType())
				.body(answer.bodyTo(String.class)));
		assertThat(response.getStatusCode().value()).isEqualTo(429);
		assertThat(response.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(response.getBody()).isEqualTo(ScriptedExchanges.NO_QUOTA);
		assertThat(this.wire.sent).hasSize(1);
	}

	@Test
	void attributesOfTheRequestAreTheOptionsOfTheCall() {
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		question(client()).attributes(LlmRateLimitAttributes.priority(Priority.INTERACTIVE))
			.retrieve()
			.body(String.class);
		assertThat(this.exchanges.calls().admitted()).singleElement().satisfies((permit) -> {
			assertThat(permit.call().priority()).isEqualTo(Priority.INTERACTIVE);
			assertThat(permit.call().model()).isEqualTo("m");
			assertThat(permit.call().tokens().output()).isPositive();
		});
	}

	@Test
	void theScopeAroundATemplateNamesTheProviderAndTheOptions() {
		RestTemplate template = template();
		interceptor().addTo(template);
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		LlmCallScope.of(LlmRateLimitAttributes.provider("openai"), LlmRateLimitAttributes.priority(Priority.BATCH))
			.during(() -> template.getForObject(ELSEWHERE, String.class));
		assertThat(this.exchanges.calls().admitted()).singleElement()
			.satisfies((permit) -> assertThat(permit.call().priority()).isEqualTo(Priority.BATCH));
	}

	@Test
	void aRequestIsSentWithThePooledKeyAndItsOtherHeaders() {
		this.exchanges = this.exchanges.withKey("pooled");
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		question(client()).header("Authorization", "Bearer own")
			.header("x-trace", "1", "2")
			.retrieve()
			.body(String.class);
		assertThat(this.wire.sent).singleElement().satisfies((request) -> {
			assertThat(request.getHeaders().get("Authorization")).containsExactly("Bearer pooled");
			assertThat(request.getHeaders().get("x-trace")).containsExactly("1", "2");
			assertThat(request.getHeaders().getContentLength()).isEqualTo(ScriptedExchanges.QUESTION.length());
		});
	}

	@Test
	void aFallbackMayAnswer() {
		this.exchanges = this.exchanges.withFallback((refused) -> Mono.just(FallbackAnswer.json("{}")));
		this.wire.answer(429, "application/json", ScriptedExchanges.NO_QUOTA);
		ResponseEntity<String> answer = ask().toEntity(String.class);
		assertThat(answer.getBody()).isEqualTo("{}");
		assertThat(answer.getStatusCode().value()).isEqualTo(200);
		assertThat(answer.getHeaders().getFirst(LlmFallback.HEADER)).isEqualTo("QUOTA_EXHAUSTED");
	}

	@Test
	void aFallbackMayAskAnotherModelElsewhere() {
		this.exchanges = this.exchanges
			.withFallback((refused) -> Mono.just(FallbackAnswer.sendTo(ELSEWHERE).withModel("another")));
		this.wire.answer(429, "application/json", ScriptedExchanges.NO_QUOTA);
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		String answer = question(client()).header("Authorization", "Bearer own").retrieve().body(String.class);
		assertThat(answer).isEqualTo(ScriptedExchanges.ANSWER);
		MockClientHttpRequest moved = this.wire.sent.get(1);
		assertThat(moved.getURI()).isEqualTo(ELSEWHERE);
		assertThat(moved.getBodyAsString()).contains("\"model\":\"another\"");
		assertThat(moved.getHeaders().getContentLength()).isEqualTo(moved.getBodyAsBytes().length);
		assertThat(moved.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_JSON);
		assertThat(moved.getHeaders().containsHeader("Authorization")).isFalse();
	}

	@Test
	void aBodyThatIsNotJsonIsSentAsItIs() {
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		client().post()
			.uri(ScriptedExchanges.CHAT)
			.contentType(MediaType.APPLICATION_OCTET_STREAM)
			.body(new byte[] { 1, 2 })
			.retrieve()
			.toBodilessEntity();
		assertThat(this.wire.sent.get(0).getBodyAsBytes()).containsExactly(1, 2);
		assertThat(this.exchanges.calls().admitted().get(0).call().tokens().input()).isEqualTo(1000);
	}

	@Test
	void whatWasNeverSentIsSentAgain() {
		this.wire.fail(new ConnectException("refused"));
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThat(ask().body(String.class)).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(completed()).extracting(Completed::outcome)
			.containsExactly(CallOutcome.NOT_SENT, CallOutcome.SUCCESS);
	}

	@Test
	void aFailureReachesTheCallerAsEver() {
		this.wire.fail(new IOException("broken"));
		assertThatExceptionOfType(ResourceAccessException.class).isThrownBy(() -> ask().body(String.class))
			.withRootCauseInstanceOf(IOException.class)
			.withMessageContaining("broken");
		assertThat(completed()).extracting(Completed::outcome).containsExactly(CallOutcome.FAILED);
	}

	@Test
	void aCallThatIsNotAdmittedFailsWithTheExceptionItself() {
		this.exchanges = this.exchanges.withLimits(tooSmall());
		assertThatExceptionOfType(LlmRateLimitException.class).isThrownBy(() -> ask().body(String.class))
			.satisfies((refusal) -> assertThat(refusal.reason()).isEqualTo(LlmRateLimitException.Reason.NEVER_FITS));
		RestTemplate template = template();
		interceptor().addTo(template);
		assertThatExceptionOfType(LlmRateLimitException.class)
			.isThrownBy(() -> template.postForObject(ScriptedExchanges.CHAT, Map.of("max_tokens", 400), String.class));
		assertThat(this.wire.sent).isEmpty();
	}

	@Test
	void anInterruptedThreadStopsWaiting() {
		RestClient client = client();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(ResourceAccessException.class)
			.isThrownBy(() -> question(client).retrieve().toBodilessEntity())
			.withCauseInstanceOf(InterruptedIOException.class);
		assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
		assertThat(this.wire.sent).isEmpty();
	}

	@Test
	void aThreadThatMustNotBlockIsToldSo() {
		RestClient client = client();
		Mono<String> answer = Mono.fromCallable(() -> question(client).retrieve().body(String.class))
			.subscribeOn(Schedulers.parallel());
		assertThatIllegalStateException().isThrownBy(answer::block).withMessageContaining("parallel");
	}

	@Test
	void requestsToOtherHostsAreNoneOfItsBusiness() throws IOException {
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		try (ClientHttpResponse response = client().get().uri(ELSEWHERE).exchange((request, answer) -> answer, false)) {
			assertThat(response.getStatusCode().value()).isEqualTo(200);
		}
		assertThat(this.exchanges.calls().admitted()).isEmpty();
	}

	@Test
	void aFactoryInterceptsOnlyRequestsToProviders() throws IOException {
		ClientHttpRequestFactory factory = interceptor().around(this.wire);
		assertThat(factory.createRequest(ELSEWHERE, HttpMethod.POST)).as("writes to its connection, not to memory")
			.isSameAs(this.wire.sent.get(0));
		this.wire.sent.clear();
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		RestClient client = RestClient.builder().requestFactory(factory).build();
		assertThat(question(client).retrieve().body(String.class)).isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
	}

	@Test
	void aTemplateIsLimitedInsideItsInterceptors() {
		this.exchanges = this.exchanges.withKey("pooled");
		RestTemplate template = template();
		template.getInterceptors().add((request, body, execution) -> {
			request.getHeaders().setBearerAuth("of the interceptor");
			return execution.execute(request, body);
		});
		interceptor().addTo(template);
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		assertThat(template.postForObject(ScriptedExchanges.CHAT, Map.of("model", "m"), String.class))
			.isEqualTo(ScriptedExchanges.ANSWER);
		assertThat(this.wire.sent).singleElement()
			.satisfies((request) -> assertThat(request.getHeaders().get("Authorization"))
				.containsExactly("Bearer pooled"));
		assertThat(completed()).containsExactly(new Completed(CallOutcome.SUCCESS, USAGE));
	}

	@Test
	void aTemplateKeepsTheFactoryItWasGiven() {
		List<URI> seen = new ArrayList<>();
		RestTemplate template = new RestTemplate(
				new InterceptingClientHttpRequestFactory(this.wire, List.of((request, body, execution) -> {
					seen.add(request.getURI());
					return execution.execute(request, body);
				})));
		interceptor().addTo(template);
		this.wire.answer(200, "application/json", ScriptedExchanges.ANSWER);
		template.getForObject(ScriptedExchanges.CHAT, String.class);
		assertThat(seen).containsExactly(ScriptedExchanges.CHAT);
		assertThat(this.exchanges.calls().admitted()).hasSize(1);
	}

	private static LimitPlan tooSmall() {
		return LimitPlan.of(Limit.of("tokens-per-minute", Counted.TOKENS, 10, Duration.ofMinutes(1),
				LimitAlgorithm.SLIDING_WINDOW));
	}

	private List<Completed> completed() {
		return this.exchanges.calls().completed();
	}

	private LlmRateLimitInterceptor interceptor() {
		return new LlmRateLimitInterceptor(this.exchanges.create());
	}

	private RestClient.Builder builder() {
		return RestClient.builder().requestFactory(this.wire).requestInterceptor(interceptor());
	}

	private RestClient client() {
		return builder().build();
	}

	private RestTemplate template() {
		return new RestTemplate(this.wire);
	}

	private RestClient.ResponseSpec ask() {
		return question(client()).retrieve();
	}

	private static RestClient.RequestBodySpec question(RestClient client) {
		return client.post()
			.uri(ScriptedExchanges.CHAT)
			.contentType(MediaType.APPLICATION_JSON)
			.body(ScriptedExchanges.QUESTION);
	}

	/**
	 * The connection, which answers what it is told.
	 */
	private static final class Wire implements ClientHttpRequestFactory {

		private final Queue<Answer> answers = new ArrayDeque<>();

		private final List<MockClientHttpRequest> sent = new ArrayList<>();

		private int closed;

		void answer(int status, String contentType, String body) {
			this.answers.add(() -> {
				MockClientHttpResponse response = new MockClientHttpResponse(
						new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)), status) {

					@Override
					public void close() {
						Wire.this.closed++;
						super.close();
					}

				};
				response.getHeaders().set("Content-Type", contentType);
				return response;
			});
		}

		void fail(IOException failure) {
			this.answers.add(() -> {
				throw failure;
			});
		}

		List<String> bodies() {
			return this.sent.stream().map(MockClientHttpRequest::getBodyAsString).toList();
		}

		@Override
		public ClientHttpRequest createRequest(URI url, HttpMethod method) {
			MockClientHttpRequest request = new MockClientHttpRequest(method, url) {

				@Override
				protected ClientHttpResponse executeInternal() throws IOException {
					return Wire.this.answers.remove().open();
				}

			};
			this.sent.add(request);
			return request;
		}

		private interface Answer {

			ClientHttpResponse open() throws IOException;

		}

	}

}
