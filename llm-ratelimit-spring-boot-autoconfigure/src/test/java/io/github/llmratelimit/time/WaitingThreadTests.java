package io.github.llmratelimit.time;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WaitingThreadTests {

	private final Scheduler others = Schedulers.newSingle("others");

	@AfterEach
	void stop() {
		this.others.dispose();
	}

	@Test
	void runsOnTheWaitingThreadWhatAnotherThreadAsksFor() throws Exception {
		List<Thread> threads = new ArrayList<>();
		String result = WaitingThread.await(this.others,
				(thread) -> Mono.just("asked").publishOn(this.others).flatMap((asked) -> {
					threads.add(Thread.currentThread());
					return thread.run(() -> {
						threads.add(Thread.currentThread());
						return "done";
					});
				}));
		assertThat(result).isEqualTo("done");
		assertThat(threads.get(0)).isNotEqualTo(Thread.currentThread());
		assertThat(threads.get(1)).isEqualTo(Thread.currentThread());
	}

	@Test
	void runsForEachSubscriber() throws Exception {
		List<String> runs = new ArrayList<>();
		WaitingThread.await(this.others,
				(thread) -> thread.run(() -> runs.add("run")).then(thread.run(() -> runs.add("run"))));
		assertThat(runs).hasSize(2);
	}

	@Test
	void hasNoResultWhereThereIsNone() throws Exception {
		assertThat(WaitingThread.<String>await(this.others, (thread) -> thread.run(() -> null))).isNull();
		assertThat(WaitingThread.<String>await(this.others, (thread) -> Mono.empty())).isNull();
	}

	@Test
	void passesOnWhatTheActionThrows() {
		Exception failure = new Exception("on purpose");
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> WaitingThread.await(this.others, (thread) -> thread.run(() -> {
				throw failure;
			})))
			.withCause(failure);
	}

	@Test
	void cancelsWhatItWaitsForWhenItIsInterrupted() {
		AtomicBoolean cancelled = new AtomicBoolean();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(
				() -> WaitingThread.await(this.others, (thread) -> Mono.never().doOnCancel(() -> cancelled.set(true))));
		assertThat(cancelled).isTrue();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void takesAResultThatIsThereAlthoughItIsInterrupted() throws Exception {
		Thread.currentThread().interrupt();
		assertThat(WaitingThread.<String>await(this.others, (thread) -> Mono.just("there"))).isEqualTo("there");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void leavesToOthersWhatItHadStillToDo() throws Exception {
		CompletableFuture<String> second = new CompletableFuture<>();
		Queue<Runnable> tasks = new ArrayDeque<>();
		List<String> results = new ArrayList<>();
		tasks.add(() -> results.add(waitFor(second)));
		tasks.add(() -> second.complete("second"));
		Trampoline.run(tasks);
		assertThat(results).as("would wait for itself for ever").containsExactly("second");
	}

	@Test
	void refusesToParkAThreadThatMustNotBlock() {
		Scheduler nonBlocking = Schedulers.newParallel("non-blocking", 1);
		try {
			Mono<String> blocking = Mono
				.fromCallable(() -> WaitingThread.await(this.others, (thread) -> Mono.just("x")))
				.subscribeOn(nonBlocking);
			assertThatIllegalStateException().isThrownBy(blocking::block)
				.withMessageContaining("thread: non-blocking-")
				.withMessageContaining("expected: one that may block");
		}
		finally {
			nonBlocking.dispose();
		}
	}

	private String waitFor(CompletableFuture<String> result) {
		try {
			return String.valueOf(WaitingThread.<String>await(this.others, (thread) -> Mono.fromFuture(result)));
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
