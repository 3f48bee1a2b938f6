package io.github.llmratelimit.sample.ways;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * One way in which an application calls its provider.
 *
 * @param name the name under which the result is shown
 * @param model asks the model, without blocking
 */
record WayIn(String name, Function<String, Mono<String>> model) {

	private static final Scheduler CALLERS = Schedulers.newBoundedElastic(200, Integer.MAX_VALUE, "caller", 60, true);

	/**
	 * A way in that lets its caller wait, so that each call needs a thread.
	 * @param name the name
	 * @param model asks the model
	 * @return the way in
	 */
	static WayIn blocking(String name, Blocking model) {
		return new WayIn(name, (question) -> Mono.fromCallable(() -> model.ask(question)).subscribeOn(CALLERS));
	}

	Mono<String> ask(String question) {
		return this.model.apply(question);
	}

	/**
	 * Asks the model and waits for the answer.
	 */
	@FunctionalInterface
	interface Blocking {

		@Nullable String ask(String question) throws Exception;

	}

}
