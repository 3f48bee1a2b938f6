package io.github.llmratelimit.benchmarks.simulation;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.github.llmratelimit.simulator.Delay;
import io.github.llmratelimit.simulator.Ledger;
import io.github.llmratelimit.simulator.LowerBound;
import io.github.llmratelimit.simulator.SimulatedExchange;
import io.github.llmratelimit.simulator.SimulatorOptions;

/**
 * A simulated provider and the applications that call it, each through a real
 * {@code WebClient}, in virtual time. One thread only.
 */
public final class Experiment {

	/** The provider's limit on requests, unless it is another one. */
	public static final int REQUESTS_PER_MINUTE = 60;

	/** The provider's limit on tokens, unless it is another one. */
	public static final long TOKENS_PER_MINUTE = 100_000;

	/* What does not end within three times the bound is cut off. */
	private static final Duration LONGEST = Duration.ofHours(1);

	private static final Duration LATENCY = Duration.ofSeconds(3);

	private final VirtualTime time = new VirtualTime();

	private final SimulatedExchange provider;

	/**
	 * Start a provider.
	 * @param options its limits and behavior
	 */
	public Experiment(SimulatorOptions options) {
		this.provider = new SimulatedExchange(options, this.time.scheduler());
	}

	/**
	 * The provider of most experiments: its limits, and three seconds for every answer.
	 * @return its options
	 */
	public static SimulatorOptions.Builder provider() {
		return SimulatorOptions.builder()
			.requestsPerMinute(REQUESTS_PER_MINUTE)
			.tokensPerMinute(TOKENS_PER_MINUTE)
			.charging(SimulatorOptions.Charging.MAX_TOKENS)
			.latency(Delay.fixed(LATENCY));
	}

	/**
	 * The shortest time for a batch when nobody else uses the account.
	 * @param options the provider's options
	 * @param batch the batch
	 * @return the bound
	 */
	public static LowerBound bound(SimulatorOptions options, Batch batch) {
		return LowerBound.of(options.toBuilder().usedBefore(0, 0).build(), batch.tokens());
	}

	/**
	 * Let one application make the calls of a batch.
	 * @param options the provider's options
	 * @param batch the calls
	 * @param strategy what the application does about the limits
	 * @return how it ended
	 */
	public static Result run(SimulatorOptions options, Batch batch, Strategy strategy) {
		Experiment experiment = new Experiment(options);
		Application application = experiment.start(batch, strategy, options.seed());
		experiment.advanceBy(LONGEST);
		return application.result(experiment.ledger(), bound(options, batch));
	}

	/**
	 * Start an application that makes the calls of a batch.
	 * @param batch the calls
	 * @param strategy what it does about the limits
	 * @param seed seed of everything it draws
	 * @return the application
	 */
	public Application start(Batch batch, Strategy strategy, long seed) {
		Application application = new Application(batch, this.provider, this.time);
		application.start(strategy, seed);
		return application;
	}

	/**
	 * Change the provider's limits.
	 * @param change sets what changes
	 */
	public void changeLimits(UnaryOperator<SimulatorOptions.Builder> change) {
		this.provider.changeLimits(change);
	}

	/**
	 * Let everything happen that is due until then.
	 * @param duration how much time passes
	 */
	public void advanceBy(Duration duration) {
		this.time.advanceBy(duration);
	}

	/**
	 * What the provider has seen.
	 * @return its ledger so far
	 */
	public Ledger ledger() {
		return this.provider.ledger();
	}

}
