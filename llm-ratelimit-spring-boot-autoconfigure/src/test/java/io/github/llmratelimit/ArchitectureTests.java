package io.github.llmratelimit;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the architecture. Packages that do not exist yet are allowed for.
 */
class ArchitectureTests {

	private static final String ROOT = "io.github.llmratelimit";

	private static final List<String> PURE = List.of("limit", "provider", "token", "retry");

	private static final List<String> ENGINE = List.of("time", "store", "admission", "pipeline", "estimation",
			"exchange");

	private static final List<String> ADAPTERS = List.of("webclient", "restclient", "jdkclient", "okhttp", "annotation",
			"sdk", "springai", "langchain4j", "redis", "resilience4j", "metrics", "actuate", "alerts", "web", "cache",
			"batch", "jtokkit", "propagation");

	private static final JavaClasses MAIN = classesBeside(LlmRateLimiter.class);

	private static final JavaClasses TESTS = classesBeside(ArchitectureTests.class);

	/*
	 * New public types are added here on purpose: whatever is public has to be kept.
	 * Nested types and generated classes are not listed.
	 */
	private static final String PUBLIC_TYPES = """
			AdaptiveRules
			CallAdmission
			CallLocal
			CallOutcome
			ClosingRules
			Cooldown
			Counted
			DailyReset
			EvictedLevel
			FallbackAnswer
			KeyPool
			HeldPermit
			LearnedLimit
			LevelChange
			LevelEvent
			LevelSnapshot
			Limit
			LimitAlgorithm
			LimitLearning
			LimitPlan
			LimitScope
			LimitSnapshot
			LlmAccountResolver
			LlmCall
			LlmCallScope
			LlmFailureClassifier
			LlmFallback
			LlmRateLimitAttributes
			LlmRateLimitException
			LlmRateLimiter
			ModelGroup
			ObservedLimits
			Permit
			Priority
			ProviderPlan
			ProviderSnapshot
			QueueRules
			RateLimitListener
			RefusedCall
			ThrottleSignal
			ThrownResponse
			TokenEstimate
			TokenUsage
			Turn
			actuate.ProviderInfo
			actuate.RateLimitDescriptor
			actuate.RateLimitEndpoint
			actuate.RateLimitHealthIndicator
			admission.AdmissionController
			alerts.AlertWebhook
			alerts.LimitEventPublisher
			alerts.WebhookFormat
			annotation.LlmRateLimitAdvisor
			annotation.LlmRateLimited
			autoconfigure.LlmRateLimitAlertsAutoConfiguration
			autoconfigure.LlmRateLimitAnnotationAutoConfiguration
			autoconfigure.LlmRateLimitAutoConfiguration
			autoconfigure.LlmRateLimitBlockHoundIntegration
			autoconfigure.LlmRateLimitEndpointAutoConfiguration
			autoconfigure.LlmRateLimitHealthAutoConfiguration
			autoconfigure.LlmRateLimitLangChain4jAutoConfiguration
			autoconfigure.LlmRateLimitMetricsAutoConfiguration
			autoconfigure.LlmRateLimitProblemResponsesAutoConfiguration
			autoconfigure.LlmRateLimitOkHttpAutoConfiguration
			autoconfigure.LlmRateLimitProviderCustomizer
			autoconfigure.LlmRateLimitResilience4jAutoConfiguration
			autoconfigure.LlmRateLimitRestClientAutoConfiguration
			autoconfigure.LlmRateLimitSdkAutoConfiguration
			autoconfigure.LlmRateLimitSpringAiAutoConfiguration
			autoconfigure.LlmRateLimitWebClientAutoConfiguration
			autoconfigure.ProviderSettings
			estimation.CallEstimator
			estimation.EstimateOptions
			exchange.BodyTap
			exchange.ExchangeOptions
			exchange.HttpTransport
			exchange.LlmExchanges
			exchange.LlmRequest
			exchange.PeekedResponse
			exchange.PublisherTransport
			exchange.StreamTransport
			exchange.ThrownResponses
			jdkclient.LlmRateLimitHttpClient
			jtokkit.JtokkitTokenEstimator
			langchain4j.HttpExceptionReader
			langchain4j.LlmRateLimitHttpClientBuilder
			limit.AccountLimits
			limit.BlockedBy
			limit.Claim
			limit.Verdict
			limit.WallTime
			metrics.CallMeters
			metrics.LevelGauges
			metrics.RateLimitMeters
			pipeline.ActionFailures
			okhttp.LlmRateLimitOkHttpInterceptor
			pipeline.Answer
			pipeline.Exchange
			pipeline.LlmCallPipeline
			pipeline.PassingSubscriber
			pipeline.SendFailure
			propagation.CallScopeAccessor
			propagation.HeldPermitAccessor
			provider.BodyField
			provider.Charge
			provider.DialectBuilder
			provider.DialectTable
			provider.KeyPlace
			provider.KeyRing
			provider.LimitHeaders
			provider.Meaning
			provider.ModelInPath
			provider.Provider
			provider.ProviderDialect
			provider.ProviderRegistry
			provider.ResponseHead
			provider.ThrottleStatuses
			provider.UsageReader
			provider.vendor.Dialects
			resilience4j.AccountRateLimiters
			restclient.LlmRateLimitInterceptor
			restclient.RestClientResponseReader
			retry.Attempts
			retry.Backoff
			retry.CallRetries
			retry.RetryDecision
			retry.RetryPolicy
			sdk.AnthropicResponseReader
			sdk.LlmRateLimitAnthropicHttpClient
			sdk.LlmRateLimitOpenAiHttpClient
			sdk.OpenAiResponseReader
			store.LimitStore
			store.LocalLimitStore
			store.ProviderLimits
			time.TimeSource
			time.Trampoline
			time.WaitingThread
			token.HeuristicTokenEstimator
			token.RequestFacts
			token.TextCounts
			token.TokenEstimator
			token.Vocabulary
			web.ProblemResponses
			webclient.LlmRateLimitFilter
			webclient.LlmRateLimitWebClientCustomizer
			webclient.WebClientResponseReader
			""";

	private static JavaClasses classesBeside(Class<?> type) {
		try {
			return new ClassFileImporter()
				.importPath(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String[] packages(Stream<String> names) {
		return names.map((name) -> ROOT + "." + name + "..").toArray(String[]::new);
	}

	private static String[] packages(List<String> names) {
		return packages(names.stream());
	}

	private static String[] core() {
		return Stream.concat(Stream.of(ROOT), Arrays.stream(packages(Stream.concat(PURE.stream(), ENGINE.stream()))))
			.toArray(String[]::new);
	}

	private static void check(ArchRule rule, String reason, JavaClasses classes) {
		rule.because(reason).allowEmptyShould(true).check(classes);
	}

	@Test
	void classesWereImported() {
		assertThat(MAIN).as("an empty set of classes passes every rule").hasSizeGreaterThan(60);
		assertThat(MAIN.contain(ROOT + ".admission.AdmissionController")).isTrue();
		assertThat(TESTS).hasSizeGreaterThan(20);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			limit,
			retry,
			token,
			time,
			provider,   token
			store,      limit time
			admission,  store limit time
			pipeline,   retry time
			estimation, provider token
			exchange,   pipeline provider estimation token time
			""")
	void packagesOfTheCorePointOnlyWhereTheyMay(String name, String allowed) {
		Stream<String> targets = Stream.of(name, (allowed != null) ? allowed : name)
			.flatMap((names) -> Arrays.stream(names.split(" ")));
		check(noClasses().that()
			.resideInAPackage(ROOT + "." + name + "..")
			.should()
			.dependOnClassesThat(resideInAPackage(ROOT + "..").and(DescribedPredicate.not(resideInAnyPackage(
					Stream.concat(Stream.of(ROOT), Arrays.stream(packages(targets))).toArray(String[]::new))))),
				"the arrows keep each package readable without the ones above it", MAIN);
	}

	@Test
	void readersKnowNoVendor() {
		check(noClasses().that()
			.resideInAPackage(ROOT + ".provider")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".provider.vendor.."),
				"a dialect is data: what reads it must work for the ones that users write", MAIN);
	}

	@Test
	void theVocabularyKnowsNoOtherPackage() {
		check(noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat(resideInAPackage(ROOT + "..").and(DescribedPredicate.not(resideInAPackage(ROOT)))),
				"everything speaks the vocabulary, so it can depend on nobody", MAIN);
	}

	@Test
	void packagesHaveNoCycles() {
		check(slices().matching(ROOT + ".(*)..").should().beFreeOfCycles(),
				"packages that need each other are one package", MAIN);
	}

	@Test
	void theCoreKnowsNoFramework() {
		check(noClasses().that()
			.resideInAnyPackage(core())
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework..", "io.micrometer..", "io.lettuce..", "org.aspectj.."),
				"the core works, and is tested, without Spring, Micrometer, Redis and AspectJ", MAIN);
	}

	@Test
	void purePackagesKnowNoThreads() {
		DescribedPredicate<JavaClass> timeUnit = belongToAnyOf(java.util.concurrent.TimeUnit.class);
		check(noClasses().that()
			.resideInAnyPackage(packages(PURE))
			.should()
			.dependOnClassesThat(resideInAnyPackage("reactor..", "org.reactivestreams..", "java.util.concurrent..")
				.and(DescribedPredicate.not(timeUnit))),
				"pure packages are arithmetic on arguments: no reactive types, no threads, no locks", MAIN);
	}

	@Test
	void onlyDialectsKnowJackson() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".provider..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson.core..", "com.fasterxml.jackson.databind.."),
				"what providers write is read by the dialects alone", MAIN);
	}

	@Test
	void onlyTimeReadsClocks() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".time..")
			.should(callMethodWhere(target(owner(name("java.lang.System")))
				.and(target(name("nanoTime")).or(target(name("currentTimeMillis"))))))
			.orShould(callMethodWhere(target(name("now")).and(target(owner(resideInAPackage("java.time.."))))))
			.orShould()
			.callMethodWhere(target(owner(name("java.time.Clock"))))
			.orShould()
			.callMethodWhere(target(owner(name("reactor.core.scheduler.Schedulers")))),
				"tests move one clock, and whatever does not listen to it makes them lie", MAIN);
	}

	@Test
	void delaysNameTheirScheduler() {
		check(noClasses().should(callMethodWhere(target(owner(resideInAPackage("reactor.core.publisher..")))
			.and(target(name("delay")).or(target(name("delayElement")))
				.or(target(name("delaySubscription")))
				.or(target(name("timeout")))
				.or(target(name("interval"))))
			.and(DescribedPredicate.describe("without a scheduler",
					(call) -> call.getTarget()
						.getRawParameterTypes()
						.stream()
						.noneMatch((type) -> type.getName().equals("reactor.core.scheduler.Scheduler"))
							&& call.getTarget()
								.getRawParameterTypes()
								.stream()
								.anyMatch((type) -> type.getName().equals("java.time.Duration")))))),
				"whatever waits has to wait on the scheduler of the TimeSource", MAIN);
	}

	@Test
	void chanceComesFromOnePlace() {
		check(noClasses().that()
			.resideOutsideOfPackages(ROOT + ".time..", ROOT + ".autoconfigure..")
			.should()
			.dependOnClassesThat(belongToAnyOf(ThreadLocalRandom.class, java.util.Random.class,
					java.util.SplittableRandom.class, java.security.SecureRandom.class))
			.orShould()
			.callMethod(Math.class, "random"), "jitter is injected, so that tests can set it", MAIN);
		assertThat(MAIN.stream()
			.filter((type) -> type.getDirectDependenciesFromSelf()
				.stream()
				.anyMatch((dependency) -> dependency.getTargetClass().isEquivalentTo(ThreadLocalRandom.class))))
			.as("places that draw random numbers")
			.hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void adaptersDoNotKnowEachOther() {
		for (String adapter : ADAPTERS) {
			check(noClasses().that()
				.resideInAPackage(ROOT + "." + adapter + "..")
				.should()
				.dependOnClassesThat()
				.resideInAnyPackage(packages(ADAPTERS.stream().filter((other) -> !other.equals(adapter)))),
					"each optional technology can be absent without the others", MAIN);
		}
	}

	@Test
	void alertsKnowOnlyVocabularyAndTime() {
		check(noClasses().that()
			.resideInAPackage(ROOT + ".alerts..")
			.should()
			.dependOnClassesThat(resideInAPackage(ROOT + "..")
				.and(DescribedPredicate.not(resideInAnyPackage(ROOT, ROOT + ".alerts..", ROOT + ".time..")))),
				"who only listens needs nothing of what happens inside", MAIN);
	}

	@Test
	void problemResponsesKnowNeitherWebFluxNorServlets() {
		check(noClasses().that()
			.resideInAPackage(ROOT + ".web..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.web.reactive..", "org.springframework.web.servlet..",
					"org.springframework.web.server..", "jakarta.servlet..", "reactor.."),
				"the same class serves both, and either can be absent", MAIN);
	}

	@Test
	void nobodyKnowsTheAutoConfiguration() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".autoconfigure.."), "it puts the parts together and is no part itself", MAIN);
	}

	@Test
	void onlyTheAutoConfigurationUsesConditionsAndProperties() {
		check(noClasses().that()
			.resideOutsideOfPackage(ROOT + ".autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.boot.autoconfigure..",
					"org.springframework.boot.context.properties.."),
				"everything has to be possible in code, without Boot's conditions", MAIN);
	}

	@Test
	void autoConfigurationsAreFinalAndShowNothing() {
		check(classes().that()
			.areAnnotatedWith("org.springframework.boot.autoconfigure.AutoConfiguration")
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.andShould()
			.haveSimpleNameEndingWith("AutoConfiguration"), "users name them, but never call or extend them", MAIN);
		check(methods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith("org.springframework.boot.autoconfigure.AutoConfiguration")
			.should()
			.notBePublic(), "bean methods are called by Spring alone", MAIN);
	}

	@Test
	void publicTypesAreTheOnesListed() {
		Set<String> listed = new TreeSet<>(PUBLIC_TYPES.lines().map(String::trim).toList());
		Set<String> found = new TreeSet<>();
		for (JavaClass type : MAIN) {
			if (type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass()) {
				found.add(type.getName().substring(ROOT.length() + 1));
			}
		}
		assertThat(found).as("public types; a new one is added to the list on purpose").isEqualTo(listed);
	}

	@Test
	void everyPackageStatesThatNothingIsNullUnlessItSaysSo() {
		Set<String> marked = new TreeSet<>();
		Set<String> all = new TreeSet<>();
		for (JavaClass type : MAIN) {
			all.add(type.getPackageName());
			if (type.getSimpleName().equals("package-info") && type.isAnnotatedWith(NullMarked.class)) {
				marked.add(type.getPackageName());
			}
		}
		assertThat(marked).as("packages with @NullMarked in package-info").isEqualTo(all);
	}

	@Test
	void testsDoNotSleep() {
		check(noClasses().should()
			.callMethodWhere(target(owner(name("java.lang.Thread"))).and(target(name("sleep"))))
			.orShould()
			.callMethodWhere(target(owner(name("java.util.concurrent.TimeUnit"))).and(target(name("sleep")))),
				"a test that sleeps is slow on a quick machine and wrong on a slow one", TESTS);
	}

	@Test
	void testsAreNotDisabled() {
		check(noClasses().should().beAnnotatedWith(Disabled.class), "a test that does not run says nothing", TESTS);
		check(methods().should().notBeAnnotatedWith(Disabled.class), "a test that does not run says nothing", TESTS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "verifyComplete", "verifyError", "verifyErrorMessage", "verifyErrorMatches",
			"verifyErrorSatisfies", "verifyTimeout" })
	void testsDoNotWaitForEver(String method) {
		check(noClasses().should()
			.callMethodWhere(target(owner(resideInAPackage("reactor.test.."))).and(target(name(method)))),
				"StepVerifier waits for ever unless it is told how long", TESTS);
	}

	@Test
	void testsVerifyWithATimeout() {
		check(noClasses().should()
			.callMethodWhere(target(owner(resideInAPackage("reactor.test.."))).and(target(name("verify")))
				.and(DescribedPredicate.describe("without a timeout",
						(call) -> call.getTarget().getRawParameterTypes().isEmpty()))),
				"StepVerifier waits for ever unless it is told how long", TESTS);
	}

}
