package io.github.llmratelimit.autoconfigure;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.llmratelimit.LevelSnapshot;
import io.github.llmratelimit.LimitSnapshot;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmRateLimitException;
import io.github.llmratelimit.LlmRateLimiter;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.annotation.LlmRateLimitAdvisor;
import io.github.llmratelimit.annotation.LlmRateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Methods annotated with {@link LlmRateLimited}, as an application uses them.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class LlmRateLimitedMethodsTests {

	private static final String MANY_REQUESTS = "llm.ratelimit.providers.openai.limits.requests-per-minute=100";

	private final AtomicInteger requests = new AtomicInteger();

	private final List<LlmCall> admitted = new ArrayList<>();

	private HttpStatus status = HttpStatus.OK;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
				LlmRateLimitWebClientAutoConfiguration.class, LlmRateLimitAnnotationAutoConfiguration.class,
				AopAutoConfiguration.class, WebClientAutoConfiguration.class))
		.withPropertyValues("llm.ratelimit.providers.openai.limits.requests-per-minute=3",
				"llm.ratelimit.providers.openai.limits.tokens-per-minute=10000",
				"llm.ratelimit.providers.openai.safety-margin=1", "llm.ratelimit.providers.openai.learn-limits=false",
				"my.provider=openai")
		.withBean(RateLimitListener.class, () -> new RateLimitListener() {

			@Override
			public void onAdmitted(Permit permit) {
				LlmRateLimitedMethodsTests.this.admitted.add(permit.call());
			}

		})
		.withBean(Chat.class);

	@Test
	void waitInTheWayOfTheirReturnType() {
		this.runner.run((context) -> {
			Chat chat = context.getBean(Chat.class);
			assertThat(AopUtils.isAopProxy(chat)).isTrue();
			assertThat(chat.mono("a").block()).isEqualTo("a");
			assertThat(chat.flux("b").collectList().block()).containsExactly("b", "b");
			assertThat(chat.stage("c").join()).isEqualTo("c");
			assertThat(used(context, "requests-per-minute")).isEqualTo(3);
			assertThat(account(context).inFlight()).isZero();
			for (Runnable call : List.<Runnable>of(() -> chat.mono("x").block(), () -> chat.flux("x").blockLast(),
					() -> chat.plain("x"), () -> chat.nothing())) {
				assertThatExceptionOfType(LlmRateLimitException.class).isThrownBy(call::run)
					.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(LlmRateLimitException.Reason.WAIT_TOO_LONG));
			}
			assertThatThrownBy(() -> chat.stage("x").join()).hasRootCauseInstanceOf(LlmRateLimitException.class);
		});
	}

	@Test
	void doNothingBeforeTheyAreSubscribedAndTakeAPermitForEachSubscription() {
		this.runner.run((context) -> {
			Mono<String> mono = context.getBean(Chat.class).mono("a");
			assertThat(this.admitted).isEmpty();
			assertThat(mono.block() + mono.block()).isEqualTo("aa");
			assertThat(this.admitted).hasSize(2);
		});
	}

	@Test
	void sayWhatTheyUseInExpressions() {
		this.runner.run((context) -> {
			context.getBean(Chat.class).described("gpt-5", "12345678");
			LlmCall call = this.admitted.get(0);
			assertThat(call.model()).isEqualTo("gpt-5");
			assertThat(call.tokens().total()).isEqualTo(102);
			assertThat(call.priority()).isEqualTo(Priority.BATCH);
			assertThat(call.maxWait()).isEqualTo(Duration.ofHours(2));
		});
	}

	@Test
	void mayBeAnnotatedByTheirClassOrByAnAnnotationOfTheApplication() {
		this.runner.withBean(Limited.class).run((context) -> {
			Limited limited = context.getBean(Limited.class);
			assertThat(limited.ofClass() + limited.ofMethod()).isEqualTo("classmethod");
			assertThat(this.admitted).extracting(LlmCall::priority)
				.containsExactly(Priority.NORMAL, Priority.INTERACTIVE);
		});
	}

	@Test
	void failAsTheyDoWithoutTheAnnotation() {
		this.runner.run((context) -> {
			Chat chat = context.getBean(Chat.class);
			assertThatThrownBy(chat::broken).isExactlyInstanceOf(IOException.class).hasMessage("broken");
			assertThat(account(context).inFlight()).isZero();
		});
	}

	@Test
	void areCountedOnceWithTheReactiveClientInside() {
		this.runner.run((context) -> {
			Chat chat = context.getBean(Chat.class);
			assertThat(chat.ask(client(context)).block()).isEqualTo("{}");
			assertThat(used(context, "requests-per-minute")).isEqualTo(1);
			assertThat(used(context, "tokens-per-minute")).as("the claim of the client, not of the annotation")
				.isLessThan(1000);
			assertThat(this.admitted).extracting(LlmCall::priority)
				.containsExactly(Priority.INTERACTIVE, Priority.INTERACTIVE);
			assertThat(account(context).inFlight()).isZero();
			assertThat(this.requests).hasValue(1);
		});
	}

	@Test
	void areCountedOnceWithAClientThatBlocksInside() {
		this.runner.run((context) -> {
			assertThat(context.getBean(Chat.class).askBlocking(client(context))).isEqualTo("{}");
			assertThat(used(context, "requests-per-minute")).isEqualTo(1);
			assertThat(account(context).inFlight()).isZero();
		});
	}

	@Test
	void areCountedOnceWithAClientInAStageInside() {
		this.runner.run((context) -> {
			assertThat(context.getBean(Chat.class).askLater(client(context)).join()).isEqualTo("{}");
			assertThat(used(context, "requests-per-minute")).isEqualTo(1);
		});
	}

	@Test
	void ofSeveralCallsInsideOnlyTheFirstTakesThePlace() {
		this.runner.run((context) -> {
			context.getBean(Chat.class).askTwice(client(context)).block();
			assertThat(used(context, "requests-per-minute")).isEqualTo(2);
			assertThat(this.requests).hasValue(2);
		});
	}

	@Test
	void areCountedOnceWithinEachOther() {
		this.runner.run((context) -> {
			Chat chat = context.getBean(Chat.class);
			assertThat(context.getBean(LlmRateLimiter.class).execute(LlmCall.to("openai"), chat.mono("inner")).block())
				.isEqualTo("inner");
			assertThat(used(context, "requests-per-minute")).isEqualTo(1);
		});
	}

	@Test
	void anotherProviderInsideHasAPermitOfItsOwn() {
		this.runner.withPropertyValues("llm.ratelimit.providers.mistral.limits.requests-per-minute=5")
			.run((context) -> {
				LlmRateLimiter limiter = context.getBean(LlmRateLimiter.class);
				Chat chat = context.getBean(Chat.class);
				limiter.execute(LlmCall.to("mistral"), chat.mono("inner")).block();
				assertThat(used(context, "requests-per-minute")).isEqualTo(1);
				assertThat(this.admitted).extracting(LlmCall::provider).containsExactly("mistral", "openai");
			});
	}

	@Test
	void haveAFallback() {
		this.runner.run((context) -> {
			Chat chat = context.getBean(Chat.class);
			for (int i = 0; i < 3; i++) {
				chat.mono("use up").block();
			}
			assertThat(chat.plainOrElse("x")).isEqualTo("x instead of WAIT_TOO_LONG");
			assertThat(chat.monoOrElse("y").block()).isEqualTo("y instead");
			assertThat(chat.stageOrElse("z").join()).isEqualTo("z instead");
		});
	}

	@Test
	void aFallbackIsForRefusalsOnly() {
		this.runner.run((context) -> assertThatThrownBy(() -> context.getBean(Chat.class).monoOrElse("fail").block())
			.isInstanceOf(IllegalArgumentException.class));
	}

	@ParameterizedTest
	@EnumSource
	void runAgainAfterARefusalAndThenHaveTheirFallback(Way way) {
		AtomicInteger left = new AtomicInteger(2);
		AtomicInteger attempts = new AtomicInteger();
		this.runner
			.withPropertyValues(MANY_REQUESTS, "llm.ratelimit.providers.openai.backoff.max-attempts=3",
					"llm.ratelimit.providers.openai.backoff.base-delay=1ms")
			.withBean(Refused.class, () -> new Refused(left, attempts))
			.run((context) -> {
				Refused bean = context.getBean(Refused.class);
				assertThat(way.call.apply(bean)).isEqualTo("fine");
				assertThat(attempts).hasValue(3);
				left.set(9);
				assertThat(way.call.apply(bean)).isEqualTo("instead of RETRIES_EXHAUSTED");
				assertThat(attempts).hasValue(6);
				assertThat(account(context).inFlight()).isZero();
			});
	}

	@Test
	void areInsideTheRetriesOfSpring() {
		AtomicInteger left = new AtomicInteger(2);
		this.runner.withUserConfiguration(ResilientMethods.class)
			.withBean(Retried.class, () -> new Retried(left))
			.run((context) -> {
				assertThat(context.getBean(Retried.class).call()).isEqualTo("fine");
				assertThat(this.admitted).as("each attempt is a call of its own").hasSize(3);
			});
	}

	@Test
	void leaveTheRetriesToTheClientInside() {
		this.runner
			.withPropertyValues(MANY_REQUESTS, "llm.ratelimit.providers.openai.backoff.max-attempts=2",
					"llm.ratelimit.providers.openai.backoff.base-delay=1ms")
			.run((context) -> {
				this.status = HttpStatus.TOO_MANY_REQUESTS;
				Chat chat = context.getBean(Chat.class);
				assertThatExceptionOfType(WebClientResponseException.TooManyRequests.class)
					.isThrownBy(() -> chat.ask(client(context)).block());
				assertThat(this.requests).hasValue(2);
				assertThat(used(context, "requests-per-minute")).as("one permit for each request").isEqualTo(2);
				assertThat(chat.askOrElse(client(context)).block()).isEqualTo("RETRIES_EXHAUSTED");
				assertThat(this.requests).hasValue(4);
				assertThat(account(context).inFlight()).isZero();
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { UnknownProvider.class, WrongTokens.class, WrongMaxWait.class, NoFallback.class,
			OtherFallback.class })
	void stopTheStartIfTheirAnnotationIsWrong(Class<?> bean) {
		this.runner.withBean(bean)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("@LlmRateLimited on " + bean.getSimpleName() + ".call: ")
				.hasMessageContaining("expected: "));
	}

	@Test
	void sayHowToCorrectTheirAnnotation(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Misspelled.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatThrownBy(application::run).isInstanceOf(BeanCreationException.class);
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Method: public void " + UnknownProvider.class.getName() + ".call()", "Annotation: @LlmRateLimited",
				"Attribute: provider", "Value: \"opnai\"",
				"Set provider of the annotation to a provider below llm.ratelimit.providers");
	}

	@Test
	void areNotLimitedWhereTheLimiterIsOff() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(AopUtils.isAopProxy(context.getBean(Chat.class))).isFalse());
	}

	@Test
	void needNoWebClient() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LlmRateLimitAutoConfiguration.class,
					LlmRateLimitAnnotationAutoConfiguration.class, AopAutoConfiguration.class))
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.withClassLoader(new FilteredClassLoader(WebClient.class))
			.withBean(Supplier.class, Answer::new)
			.run((context) -> {
				Supplier<?> answer = context.getBean(Supplier.class);
				assertThat(AopUtils.isJdkDynamicProxy(answer)).isTrue();
				assertThat(answer.get()).isEqualTo("answer");
			});
	}

	@Test
	void backOffForAnAdvisorOfTheApplication() {
		LlmRateLimitAdvisor own = new LlmRateLimitAdvisor(() -> null, (name) -> true, (text) -> text);
		this.runner.withBean(LlmRateLimitAdvisor.class, () -> own)
			.run((context) -> assertThat(context).getBean(LlmRateLimitAdvisor.class).isSameAs(own));
	}

	private WebClient client(AssertableApplicationContext context) {
		return context.getBean(WebClient.Builder.class)
			.baseUrl("https://api.openai.com")
			.exchangeFunction((request) -> {
				this.requests.incrementAndGet();
				return Mono.just(ClientResponse.create(this.status)
					.header("Content-Type", "application/json")
					.body("{}")
					.build());
			})
			.build();
	}

	private static LevelSnapshot account(AssertableApplicationContext context) {
		return context.getBean(LlmRateLimiter.class)
			.snapshot()
			.filter((provider) -> provider.provider().equals("openai"))
			.single()
			.block()
			.accounts()
			.get("default");
	}

	private static long used(AssertableApplicationContext context, String limit) {
		return account(context).limits()
			.stream()
			.filter((candidate) -> candidate.limit().name().equals(limit))
			.mapToLong(LimitSnapshot::used)
			.sum();
	}

	static class Chat {

		@LlmRateLimited(provider = "${my.provider}", maxWait = "0s")
		public Mono<String> mono(String text) {
			return Mono.just(text);
		}

		@LlmRateLimited(provider = "openai", maxWait = "0s")
		public Flux<String> flux(String text) {
			return Flux.just(text, text);
		}

		@LlmRateLimited(provider = "openai", maxWait = "0s")
		public CompletableFuture<String> stage(String text) {
			return CompletableFuture.completedFuture(text);
		}

		@LlmRateLimited(provider = "openai", maxWait = "0s")
		public String plain(String text) {
			return text;
		}

		@LlmRateLimited(provider = "openai", maxWait = "0s")
		public void nothing() {
		}

		@LlmRateLimited(provider = "openai")
		public void broken() throws IOException {
			throw new IOException("broken");
		}

		@LlmRateLimited(provider = "openai", model = "#model", tokens = "#prompt.length() / 4 + 100",
				priority = Priority.BATCH, maxWait = "2h")
		public String described(String model, String prompt) {
			return model + prompt;
		}

		@LlmRateLimited(provider = "openai", tokens = "5000", priority = Priority.INTERACTIVE)
		public Mono<String> ask(WebClient client) {
			return send(client).subscribeOn(Schedulers.boundedElastic());
		}

		@LlmRateLimited(provider = "openai", fallbackMethod = "reason")
		public Mono<String> askOrElse(WebClient client) {
			return send(client);
		}

		Mono<String> reason(WebClient client, LlmRateLimitException refusal) {
			return Mono.just(refusal.reason().name());
		}

		@LlmRateLimited(provider = "openai", tokens = "5000")
		public String askBlocking(WebClient client) {
			return send(client).block();
		}

		@LlmRateLimited(provider = "openai")
		public CompletableFuture<String> askLater(WebClient client) {
			return send(client).toFuture();
		}

		@LlmRateLimited(provider = "openai")
		public Mono<String> askTwice(WebClient client) {
			return send(client).then(send(client));
		}

		private static Mono<String> send(WebClient client) {
			return client.post()
				.uri("/v1/chat/completions")
				.bodyValue("{\"model\":\"m\"}")
				.retrieve()
				.bodyToMono(String.class);
		}

		@LlmRateLimited(provider = "openai", maxWait = "0s", fallbackMethod = "instead")
		public String plainOrElse(String text) {
			return text;
		}

		private String instead(String text, LlmRateLimitException refusal) {
			return text + " instead of " + refusal.reason();
		}

		@LlmRateLimited(provider = "openai", maxWait = "0s", fallbackMethod = "monoInstead")
		public Mono<String> monoOrElse(String text) {
			return text.equals("fail") ? Mono.error(new IllegalArgumentException(text)) : Mono.just(text);
		}

		Mono<String> monoInstead(String text) {
			return Mono.just(text + " instead");
		}

		@LlmRateLimited(provider = "openai", maxWait = "0s", fallbackMethod = "stageInstead")
		public CompletableFuture<String> stageOrElse(String text) {
			return CompletableFuture.completedFuture(text);
		}

		CompletableFuture<String> stageInstead(String text, Throwable refusal) {
			return CompletableFuture.completedFuture(text + " instead");
		}

	}

	/**
	 * Is refused by the provider, in each of its ways, as often as it is told.
	 */
	static class Refused {

		private final AtomicInteger left;

		private final AtomicInteger attempts;

		Refused(AtomicInteger left, AtomicInteger attempts) {
			this.left = left;
			this.attempts = attempts;
		}

		@LlmRateLimited(provider = "openai", fallbackMethod = "monoInstead")
		public Mono<String> mono() {
			return Mono.fromSupplier(this::answer);
		}

		Mono<String> monoInstead(LlmRateLimitException refusal) {
			return Mono.just(plainInstead(refusal));
		}

		@LlmRateLimited(provider = "openai", fallbackMethod = "fluxInstead")
		public Flux<String> flux() {
			return mono().flux();
		}

		Flux<String> fluxInstead(LlmRateLimitException refusal) {
			return Flux.just(plainInstead(refusal));
		}

		@LlmRateLimited(provider = "openai", fallbackMethod = "stageInstead")
		public CompletableFuture<String> stage() {
			return mono().toFuture();
		}

		CompletableFuture<String> stageInstead(LlmRateLimitException refusal) {
			return CompletableFuture.completedFuture(plainInstead(refusal));
		}

		@LlmRateLimited(provider = "openai", fallbackMethod = "plainInstead")
		public String plain() {
			return answer();
		}

		private String plainInstead(LlmRateLimitException refusal) {
			return "instead of " + refusal.reason();
		}

		private String answer() {
			this.attempts.incrementAndGet();
			if (this.left.getAndDecrement() > 0) {
				throw HttpClientErrorException.create(HttpStatus.TOO_MANY_REQUESTS, "", HttpHeaders.EMPTY, new byte[0],
						null);
			}
			return "fine";
		}

	}

	/**
	 * The ways in which {@link Refused} is called.
	 */
	enum Way {

		MONO((bean) -> bean.mono().block()), FLUX((bean) -> bean.flux().blockLast()),
		STAGE((bean) -> bean.stage().join()), PLAIN(Refused::plain);

		private final Function<Refused, String> call;

		Way(Function<Refused, String> call) {
			this.call = call;
		}

	}

	@EnableResilientMethods
	static class ResilientMethods {

	}

	static class Retried {

		private final AtomicInteger left;

		Retried(AtomicInteger left) {
			this.left = left;
		}

		@Retryable(delay = 1)
		@LlmRateLimited(provider = "openai")
		public String call() {
			if (this.left.getAndDecrement() > 0) {
				throw new IllegalStateException("broken");
			}
			return "fine";
		}

	}

	@EnableAutoConfiguration
	@Import(UnknownProvider.class)
	static class Misspelled {

	}

	@LlmRateLimited(provider = "openai")
	static class Limited {

		public String ofClass() {
			return "class";
		}

		@Urgent
		public String ofMethod() {
			return "method";
		}

	}

	static class Answer implements Supplier<String> {

		@Override
		@LlmRateLimited(provider = "openai")
		public String get() {
			return "answer";
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@LlmRateLimited(provider = "openai", priority = Priority.INTERACTIVE)
	@interface Urgent {

	}

	static class UnknownProvider {

		@LlmRateLimited(provider = "opnai")
		public void call() {
		}

	}

	static class WrongTokens {

		@LlmRateLimited(provider = "openai", tokens = "#prompt.length(")
		public void call() {
		}

	}

	static class WrongMaxWait {

		@LlmRateLimited(provider = "openai", maxWait = "soon")
		public void call() {
		}

	}

	static class NoFallback {

		@LlmRateLimited(provider = "openai", fallbackMethod = "instead")
		public void call() {
		}

	}

	static class OtherFallback {

		@LlmRateLimited(provider = "openai", fallbackMethod = "instead")
		public String call(String text) {
			return text;
		}

		String instead(int number) {
			return String.valueOf(number);
		}

	}

}
