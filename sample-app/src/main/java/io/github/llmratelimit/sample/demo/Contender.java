package io.github.llmratelimit.sample.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.llmratelimit.sample.demo.Result.Answered;
import io.github.llmratelimit.simulator.ProviderSimulator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One strategy at work on a provider of its own. Thread-safe: its progress may be watched
 * while it runs. It runs once.
 */
final class Contender {

	private final Strategy strategy;

	private final ProviderSimulator provider;

	private final List<Prompt> prompts;

	private final AtomicInteger answered = new AtomicInteger();

	private volatile long startedAt;

	private volatile @Nullable Duration took;

	Contender(Strategy strategy, ProviderSimulator provider, List<Prompt> prompts) {
		this.strategy = strategy;
		this.provider = provider;
		this.prompts = prompts;
	}

	/** All calls at once, as a batch job sends them; those that take too long fail. */
	Mono<Result> run(Duration deadline) {
		return Mono.defer(() -> {
			this.startedAt = System.nanoTime();
			return Flux.fromIterable(this.prompts)
				.flatMap(this::send, this.prompts.size())
				.takeUntilOther(Mono.delay(deadline))
				.collectList()
				.map(this::result)
				.doOnNext((result) -> this.took = elapsed());
		});
	}

	private Mono<Answered> send(Prompt prompt) {
		return this.strategy.send(prompt)
			.map((completion) -> new Answered(elapsed(), prompt.charge(completion)))
			.doOnNext((call) -> this.answered.incrementAndGet())
			.onErrorComplete();
	}

	private Result result(List<Answered> calls) {
		return new Result(this.strategy.name(), this.prompts.size(), calls, refused());
	}

	private int refused() {
		return this.provider.ledger().refused();
	}

	private Duration elapsed() {
		Duration took = this.took;
		return (took != null) ? took : Duration.ofNanos(System.nanoTime() - this.startedAt);
	}

	Progress progress() {
		return new Progress(this.strategy.name(), this.prompts.size(), this.answered.get(), refused(), elapsed());
	}

}
