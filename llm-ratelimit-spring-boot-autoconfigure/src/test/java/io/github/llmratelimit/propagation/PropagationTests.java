package io.github.llmratelimit.propagation;

import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;

import io.github.llmratelimit.HeldPermit;
import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.LlmCallScope;
import io.github.llmratelimit.LlmRateLimitAttributes;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.Priority;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests that what surrounds a call travels, by accessors that Micrometer finds itself.
 */
class PropagationTests {

	private static final LlmCallScope SCOPE = LlmCallScope.of(LlmRateLimitAttributes.priority(Priority.BATCH));

	private final HeldPermit held = new HeldPermit(mock(Permit.class));

	private final ExecutorService threads = ContextExecutorService.wrap(Executors.newSingleThreadExecutor(),
			ContextSnapshotFactory.builder().build()::captureAll);

	@AfterEach
	void stopThreads() {
		this.threads.shutdownNow();
	}

	@Test
	void fromThreadToThreadAndNoFurther() throws Exception {
		assertThat(this.held.during(() -> SCOPE.during(() -> this.threads.submit(PropagationTests::current))).get())
			.isEqualTo(new Around(this.held, Priority.BATCH));
		assertThat(this.threads.submit(PropagationTests::current).get()).isEqualTo(new Around(null, Priority.NORMAL));
	}

	@Test
	void fromTheThreadIntoTheReactorContext() {
		Mono<Context> captured = Mono.deferContextual((context) -> Mono.just(Context.of(context))).contextCapture();
		Context context = this.held.during(() -> SCOPE.during(captured::block));
		assertThat(context.<HeldPermit>get(HeldPermit.CURRENT.key())).isSameAs(this.held);
		assertThat(LlmCallScope.applyTo(LlmCall.to("p"), context).priority()).isEqualTo(Priority.BATCH);
	}

	@Test
	void fromTheReactorContextToTheThread() {
		Around around = Mono.just("element")
			.handle((element, sink) -> sink.next(current()))
			.cast(Around.class)
			.contextWrite(SCOPE::in)
			.contextWrite(this.held::in)
			.contextCapture()
			.block();
		assertThat(around).isEqualTo(new Around(this.held, Priority.BATCH));
		assertThat(current()).isEqualTo(new Around(null, Priority.NORMAL));
	}

	private static Around current() {
		return new Around(HeldPermit.CURRENT.get(), LlmCallScope.applyTo(LlmCall.to("p"), Context.empty()).priority());
	}

	private record Around(HeldPermit held, Priority priority) {

	}

}
