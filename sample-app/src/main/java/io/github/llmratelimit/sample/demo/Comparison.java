package io.github.llmratelimit.sample.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.sample.provider.ChatClient;
import io.github.llmratelimit.simulator.LowerBound;
import io.github.llmratelimit.simulator.ProviderSimulator;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

import org.springframework.web.reactive.function.client.WebClient;

/**
 * The same calls by several strategies, each against a provider of its own: first those
 * that retry, side by side, then the starter.
 */
final class Comparison implements AutoCloseable {

	private final DemoOptions options;

	private final WebClient.Builder starter;

	private final ProviderSimulator provider;

	private final List<Prompt> prompts;

	private final List<ProviderSimulator> otherProviders;

	/**
	 * Create a comparison.
	 * @param options what to compare
	 * @param starter Spring Boot's builder, with the starter's filter in it
	 * @param provider the provider that the starter keeps calls to within its limits
	 */
	Comparison(DemoOptions options, WebClient.Builder starter, ProviderSimulator provider) {
		this.options = options;
		this.starter = starter;
		this.provider = provider;
		this.prompts = new PromptWriter(1).write(options.calls());
		this.otherProviders = Stream.generate(() -> ProviderSimulator.start(options.provider())).limit(3).toList();
	}

	/**
	 * Runs it and prints what happens.
	 * @param out where to
	 * @param terminal whether that is a terminal
	 * @return whether the starter got all its calls through
	 */
	boolean run(PrintStream out, boolean terminal) {
		Report report = new Report(out);
		report.title(this.options);
		rehearse();
		List<Result> results = new ArrayList<>(race(retrying(), out, terminal));
		Result starter = race(List.of(starter()), out, terminal).get(0);
		results.add(starter);
		LowerBound bound = LowerBound.of(this.options.provider(), starter.tokens());
		report.table(results, bound);
		report.summary(starter, bound);
		return starter.failed() == 0;
	}

	private List<Contender> retrying() {
		return List.of(retrying(0, "fixed interval", Retries.fixed(scaled(5))),
				retrying(1, "exponential", Retries.exponential(scaled(1), scaled(60))),
				retrying(2, "Retry-After", Retries.whenToldTo()));
	}

	// Made without Spring Boot's builder, a client does not have the starter's filter.
	private Contender retrying(int index, String name, Retry retry) {
		ProviderSimulator provider = this.otherProviders.get(index);
		ChatClient client = new ChatClient(WebClient.create(provider.baseUrl()));
		return new Contender(new Strategy(name, client, retry), provider, this.prompts);
	}

	private Contender starter() {
		WebClient client = this.starter.clone().baseUrl(this.provider.baseUrl()).build();
		Strategy strategy = new Strategy("starter", new ChatClient(client), Retries.none());
		return new Contender(strategy, this.provider, this.prompts);
	}

	private Duration scaled(int seconds) {
		return this.options.scaled(Duration.ofSeconds(seconds));
	}

	// Loading classes takes a second, which is many in a shortened minute.
	private void rehearse() {
		try (ProviderSimulator stage = ProviderSimulator.start()) {
			WebClient client = this.starter.clone()
				.baseUrl(stage.baseUrl())
				.defaultRequest((request) -> request.attributes(LlmRateLimitAttributes.provider("rehearsal")))
				.build();
			Strategy strategy = new Strategy("rehearsal", new ChatClient(client), Retries.none());
			new Contender(strategy, stage, this.prompts).run(this.options.deadline()).block();
		}
	}

	private List<Result> race(List<Contender> contenders, PrintStream out, boolean terminal) {
		try (ProgressBoard board = new ProgressBoard(out, terminal, contenders)) {
			return Flux.fromIterable(contenders)
				.flatMapSequential((contender) -> contender.run(this.options.deadline()))
				.collectList()
				.blockOptional()
				.orElseThrow();
		}
	}

	@Override
	public void close() {
		this.otherProviders.forEach(ProviderSimulator::close);
	}

}
