package io.github.llmratelimit.benchmarks;

import java.util.List;

import io.github.llmratelimit.benchmarks.acquire.AcquireBenchmark;
import io.github.llmratelimit.benchmarks.estimates.EstimatesBenchmark;
import io.github.llmratelimit.benchmarks.exchange.ExchangeBenchmark;
import io.github.llmratelimit.benchmarks.goodput.GoodputBenchmark;
import io.github.llmratelimit.benchmarks.keys.KeysBenchmark;
import io.github.llmratelimit.benchmarks.priorities.PrioritiesBenchmark;
import io.github.llmratelimit.benchmarks.reading.ReadingBenchmark;
import io.github.llmratelimit.benchmarks.refusals.RefusalsBenchmark;
import io.github.llmratelimit.benchmarks.waiters.WaitersBenchmark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Short runs of the benchmarks that tell whether they work, and of those whose figures do
 * not depend on the machine, whether their goals are met.
 */
@ExtendWith(OutputCaptureExtension.class)
class BenchmarksTests {

	private static final Arguments QUICK = Arguments.of(List.of("--quick"));

	@Test
	void goodputReachesItsGoals(CapturedOutput output) {
		assertThat(new GoodputBenchmark().run(QUICK)).isZero();
		String[] values = lastLine(output).split("[ =]");
		assertThat(values).startsWith("goodput", "ratio");
		assertThat(Double.parseDouble(values[2])).as("ratio").isLessThanOrEqualTo(1.005);
		assertThat(values[4]).as("refused").isEqualTo("0");
		assertThat(values[6]).as("success").isEqualTo("1.000");
		assertThat(Double.parseDouble(values[8])).as("rpm-bound-ratio").isLessThanOrEqualTo(1.02);
		assertThat(Double.parseDouble(values[12])).as("cold-ratio").isLessThanOrEqualTo(1.06);
		assertThat(Integer.parseInt(values[14])).as("cold-refused").isLessThanOrEqualTo(60);
		assertThat(values[16]).as("sliced-refused").isEqualTo("0");
	}

	@Test
	void refusalsReachesItsGoals(CapturedOutput output) {
		assertThat(new RefusalsBenchmark().run(QUICK)).isZero();
		String[] values = lastLine(output).split("[ =/]");
		assertThat(values).startsWith("refusals", "success", "1.000", "p99-vs-exponential");
		assertThat(Double.parseDouble(values[4])).as("p99-vs-exponential").isLessThanOrEqualTo(0.35);
		assertThat(Double.parseDouble(values[6])).as("peak-to-mean").isLessThanOrEqualTo(3);
		assertThat(Integer.parseInt(values[8])).as("halving-refused, announced").isLessThanOrEqualTo(3);
		assertThat(Integer.parseInt(values[9])).as("halving-refused, adaptive").isLessThanOrEqualTo(20);
		assertThat(Double.parseDouble(values[11])).as("halving-utilization").isGreaterThanOrEqualTo(0.99);
		assertThat(Double.parseDouble(values[13])).as("regained-s").isLessThanOrEqualTo(200);
	}

	@Test
	void prioritiesReachTheirGoals(CapturedOutput output) {
		assertThat(new PrioritiesBenchmark().run(QUICK)).isZero();
		String[] values = lastLine(output).split("[ =]");
		assertThat(values).startsWith("priorities", "interactive-p99-s");
		assertThat(Double.parseDouble(values[2])).as("interactive-p99-s").isLessThanOrEqualTo(1);
		assertThat(Double.parseDouble(values[4])).as("utilization").isGreaterThanOrEqualTo(0.99);
		assertThat(values[5]).isEqualTo("bursts-p99-s");
	}

	@Test
	void estimatesReachTheirGoals(CapturedOutput output) {
		assertThat(new EstimatesBenchmark().run(QUICK)).isZero();
		String[] values = lastLine(output).split("[ =]");
		assertThat(values).startsWith("estimates", "ratio");
		assertThat(Double.parseDouble(values[2])).as("ratio").isLessThanOrEqualTo(1.03);
		assertThat(values[4]).as("refused").isEqualTo("0");
	}

	@Test
	void acquireRuns(CapturedOutput output) throws Exception {
		assertThat(new AcquireBenchmark().run(QUICK)).isZero();
		assertThat(lastLine(output))
			.matches("acquire vs-bucket4j=\\S+ vs-resilience4j=\\S+ two-threads=\\S+ bytes=\\d+");
	}

	@Test
	void exchangeRuns(CapturedOutput output) throws Exception {
		assertThat(new ExchangeBenchmark().run(QUICK)).isZero();
		assertThat(lastLine(output)).matches("exchange small=\\S+ large=\\S+ cpu=\\S+");
	}

	@Test
	void readingRuns(CapturedOutput output) throws Exception {
		assertThat(new ReadingBenchmark().run(QUICK)).isZero();
		assertThat(lastLine(output))
			.matches("reading classify-ns=\\d+ usage-ns=\\d+ stream-chunk-ns=\\S+ stream-chunk-bytes=\\S+");
	}

	@Test
	void fourKeysAreWorthFour(CapturedOutput output) {
		assertThat(new KeysBenchmark().run(QUICK)).isZero();
		String[] values = lastLine(output).split("=");
		assertThat(values).startsWith("keys speedup");
		assertThat(Double.parseDouble(values[1])).isGreaterThanOrEqualTo(3.9);
	}

	@Test
	void waitersRuns(CapturedOutput output) throws Exception {
		assertThat(new WaitersBenchmark().run(QUICK)).isZero();
		assertThat(lastLine(output))
			.matches("waiters count=1000 bytes-per-waiter=\\d+ wake-cpu=\\S+ cancelled-bytes=\\S+ timers=1 "
					+ "bytes-per-exchange-waiter=\\d+");
	}

	private static String lastLine(CapturedOutput output) {
		String[] lines = output.getOut().strip().split("\n");
		return lines[lines.length - 1];
	}

}
