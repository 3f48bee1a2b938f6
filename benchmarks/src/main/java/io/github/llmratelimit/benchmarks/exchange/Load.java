package io.github.llmratelimit.benchmarks.exchange;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.management.OperatingSystemMXBean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;

/**
 * Calls of one client for a while, always the same number in flight.
 */
final class Load {

	private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory
		.getOperatingSystemMXBean();

	private final Variant variant;

	private final Prompt prompt;

	private final long[] latencies = new long[200_000];

	private final AtomicInteger calls = new AtomicInteger();

	private Load(Variant variant, Prompt prompt) {
		this.variant = variant;
		this.prompt = prompt;
	}

	static Sample run(Variant variant, Prompt prompt, int inFlight, Duration length) {
		return new Load(variant, prompt).run(inFlight, length);
	}

	private Sample run(int inFlight, Duration length) {
		long cpuBefore = PROCESS.getProcessCpuTime();
		long start = System.nanoTime();
		long end = start + length.toNanos();
		Flux.range(0, inFlight)
			.flatMap((lane) -> Mono.defer(this::call).repeat(() -> System.nanoTime() < end), inFlight)
			.blockLast();
		long nanos = System.nanoTime() - start;
		long cpu = PROCESS.getProcessCpuTime() - cpuBefore;
		int calls = this.calls.get();
		this.variant.check().verify(calls);
		long[] sorted = Arrays.copyOf(this.latencies, Math.min(calls, this.latencies.length));
		Arrays.sort(sorted);
		return new Sample(calls * 1e9 / nanos, cpu / 1e3 / calls, sorted[sorted.length / 2] / 1e3,
				sorted[(int) (sorted.length * 0.99)] / 1e3);
	}

	private Mono<String> call() {
		long start = System.nanoTime();
		return this.variant.client()
			.post()
			.uri("/v1/chat/completions")
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(this.prompt.body())
			.retrieve()
			.bodyToMono(String.class)
			.doOnSuccess((answer) -> record(System.nanoTime() - start));
	}

	private void record(long nanos) {
		int call = this.calls.getAndIncrement();
		if (call < this.latencies.length) {
			this.latencies[call] = nanos;
		}
	}

	/**
	 * What came out.
	 *
	 * @param rate requests per second
	 * @param cpu processor time of the client in µs per request
	 * @param p50 median latency in µs
	 * @param p99 99th percentile of the latency in µs
	 */
	record Sample(double rate, double cpu, double p50, double p99) {

	}

}
