package io.github.llmratelimit.autoconfigure;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LearnedLimit;
import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.Limit;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.LimitScope;
import io.github.llmratelimit.RateLimitListener;
import io.github.llmratelimit.alerts.LimitEventPublisher;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LlmRateLimitAlertsAutoConfiguration}.
 */
class LlmRateLimitAlertsAutoConfigurationTests {

	private static final LimitScope ACCOUNT = new LimitScope("acme", "default", "*");

	private static final LevelChange PAUSED = new LevelChange(ACCOUNT, State.PAUSED, "slow down", Duration.ofMinutes(2),
			10, false);

	private static final LearnedLimit LEARNED = new LearnedLimit(ACCOUNT,
			Limit.of("requests-per-minute", Counted.REQUESTS, 60, Duration.ofMinutes(1), LimitAlgorithm.SLIDING_WINDOW));

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(LlmRateLimitAutoConfiguration.class, LlmRateLimitAlertsAutoConfiguration.class));

	@Test
	void publishesLevelsAndLearnedLimitsAsEventsInOrder() {
		this.runner.withUserConfiguration(Listener.class).run((context) -> {
			RateLimitListener publisher = context.getBean(RateLimitListener.class);
			publisher.onLimitLearned(LEARNED);
			publisher.onLevelChanged(PAUSED);
			Listener events = context.getBean(Listener.class);
			assertThat(events.next()).isEqualTo(LEARNED);
			assertThat(events.next()).isEqualTo(PAUSED);
		});
	}

	@Test
	void doesNotHoldUpCallWhileEventListenerBlocks() {
		this.runner.withUserConfiguration(BlockingListener.class).run((context) -> {
			BlockingListener events = context.getBean(BlockingListener.class);
			LimitEventPublisher publisher = context.getBean(LimitEventPublisher.class);
			publisher.onLevelChanged(PAUSED);
			publisher.onLevelChanged(PAUSED);
			assertThat(events.handled.getCount()).as("the call goes on before its event was handled").isEqualTo(2);
			events.release.countDown();
			assertThat(events.handled.await(10, TimeUnit.SECONDS)).isTrue();
		});
	}

	@Test
	void backsOffForOwnBean() {
		LimitEventPublisher own = new LimitEventPublisher((event) -> {
		});
		this.runner.withBean("own", LimitEventPublisher.class, () -> own)
			.run((context) -> assertThat(context).getBean(LimitEventPublisher.class).isSameAs(own));
	}

	@Test
	void isSwitchedOffByProperty() {
		this.runner.withPropertyValues("llm.ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RateLimitListener.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Listener {

		private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

		@EventListener
		void on(LevelChange change) {
			this.events.add(change);
		}

		@EventListener
		void on(LearnedLimit learned) {
			this.events.add(learned);
		}

		Object next() throws InterruptedException {
			return this.events.poll(10, TimeUnit.SECONDS);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BlockingListener {

		private final CountDownLatch release = new CountDownLatch(1);

		private final CountDownLatch handled = new CountDownLatch(2);

		@EventListener
		void on(LevelChange change) throws InterruptedException {
			if (this.release.await(10, TimeUnit.SECONDS)) {
				this.handled.countDown();
			}
		}

	}

}
