package io.github.llmratelimit.alerts;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Outbox}.
 */
@ExtendWith(OutputCaptureExtension.class)
class OutboxTests {

	private final Outbox outbox = new Outbox("tests", 3);

	private final List<String> delivered = new CopyOnWriteArrayList<>();

	private volatile Thread courier;

	private final CountDownLatch started = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.release.countDown();
		this.outbox.abandon();
	}

	@Test
	void deliversInOrderOnDaemonOfItsOwn() {
		this.outbox.add(() -> this.delivered.add("a " + Thread.currentThread().getName()));
		this.outbox.add(() -> this.delivered.add("b " + Thread.currentThread().isDaemon()));
		awaitDelivery();
		assertThat(this.delivered).containsExactly("a llm-ratelimit-tests", "b true");
	}

	@Test
	void deliversAfterFailure(CapturedOutput output) {
		this.outbox.add(() -> {
			throw new IllegalStateException("broken");
		});
		this.outbox.add(() -> this.delivered.add("next"));
		awaitDelivery();
		assertThat(this.delivered).containsExactly("next");
		assertThat(output).contains("Delivery of LLM rate limit tests failed").contains("broken");
	}

	@Test
	void dropsWhatDoesNotFitAndSaysHowMuchInOneLine(CapturedOutput output) {
		this.outbox.add(this::block);
		await(this.started);
		CountDownLatch fitting = new CountDownLatch(3);
		for (int i = 1; i <= 5; i++) {
			String name = "delivery " + i;
			this.outbox.add(() -> {
				this.delivered.add(name);
				fitting.countDown();
			});
		}
		this.release.countDown();
		await(fitting);
		assertThat(this.delivered).containsExactly("delivery 1", "delivery 2", "delivery 3");
		assertThat(output).containsOnlyOnce("were dropped").contains("because too many waited: 2");
	}

	@Test
	void deliversWhatWaitsWhenItCloses(CapturedOutput output) throws InterruptedException {
		this.outbox.add(this::block);
		await(this.started);
		this.outbox.add(() -> this.delivered.add("waited"));
		this.outbox.close();
		this.outbox.add(() -> this.delivered.add("came too late"));
		this.release.countDown();
		awaitEnd();
		assertThat(this.delivered).containsExactly("waited");
		assertThat(output).doesNotContain("dropped");
	}

	@Test
	void deliversNothingWhenItIsAbandoned() throws InterruptedException {
		this.outbox.add(this::block);
		await(this.started);
		this.outbox.add(() -> this.delivered.add("waited"));
		this.outbox.abandon();
		awaitEnd();
		assertThat(this.delivered).isEmpty();
	}

	private void block() {
		this.courier = Thread.currentThread();
		this.started.countDown();
		try {
			this.release.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void awaitDelivery() {
		CountDownLatch reached = new CountDownLatch(1);
		this.outbox.add(reached::countDown);
		await(reached);
	}

	private void awaitEnd() throws InterruptedException {
		this.courier.join(TimeUnit.SECONDS.toMillis(10));
		assertThat(this.courier.isAlive()).isFalse();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
