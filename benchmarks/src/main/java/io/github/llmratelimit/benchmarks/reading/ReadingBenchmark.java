package io.github.llmratelimit.benchmarks.reading;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;
import io.github.llmratelimit.benchmarks.Control;
import io.github.llmratelimit.benchmarks.MarkdownTable;
import io.github.llmratelimit.benchmarks.Median;
import io.github.llmratelimit.benchmarks.ResultLine;
import io.github.llmratelimit.benchmarks.Sample;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Time and memory that it takes to understand a success: its head, its usage in a JSON
 * body, and its usage in a stream.
 */
public final class ReadingBenchmark implements Benchmark {

	private static final String HEAD = "Answers.head";

	private static final String USAGE = "Answers.usage";

	private static final String STREAM = "Answers.stream";

	private static final String AGAIN = "Answers.usage (again)";

	private static final int WARM_UPS = 20;

	@Override
	public int run(Arguments arguments) throws RunnerException {
		int rounds = arguments.number("rounds", arguments.isQuick() ? 2 : 60);
		int millis = arguments.number("millis", arguments.isQuick() ? 10 : 50);
		Map<String, List<Sample>> samples = new LinkedHashMap<>();
		for (String operation : List.of(HEAD, USAGE, STREAM, AGAIN)) {
			Sample.of(operation, 1, millis, WARM_UPS);
			samples.put(operation, new ArrayList<>());
		}
		Control control = Control.repeat(arguments, () -> {
			for (int i = 0; i < rounds; i++) {
				addRound(samples, millis);
			}
			return nanos(samples, AGAIN) / nanos(samples, USAGE);
		});
		print(samples);
		control.print();
		new ResultLine("reading").add("classify-ns", nanos(samples, HEAD), 0)
			.add("usage-ns", nanos(samples, USAGE), 0)
			.add("stream-chunk-ns", nanos(samples, STREAM) / Answers.CHUNKS, 1)
			.add("stream-chunk-bytes", bytes(samples, STREAM) / Answers.CHUNKS, 1)
			.print();
		return control.exitCode();
	}

	private static void addRound(Map<String, List<Sample>> samples, int millis) throws RunnerException {
		for (Map.Entry<String, List<Sample>> operation : samples.entrySet()) {
			operation.getValue().add(Sample.of(operation.getKey(), 1, millis, 0));
		}
	}

	private static void print(Map<String, List<Sample>> samples) {
		MarkdownTable table = new MarkdownTable(
				"medians of %d rounds".formatted(samples.getOrDefault(HEAD, List.of()).size()), "operation",
				"ns/response", "B/response", "ns/chunk", "B/chunk");
		samples.keySet().forEach((operation) -> {
			int chunks = operation.equals(STREAM) ? Answers.CHUNKS : 1;
			table.add(operation, format(nanos(samples, operation)), format(bytes(samples, operation)),
					format(nanos(samples, operation) / chunks), format(bytes(samples, operation) / chunks));
		});
		table.print();
	}

	private static double nanos(Map<String, List<Sample>> samples, String operation) {
		return Median.of(samples.getOrDefault(operation, List.of()), Sample::nanos);
	}

	private static double bytes(Map<String, List<Sample>> samples, String operation) {
		return Median.of(samples.getOrDefault(operation, List.of()), Sample::bytes);
	}

	private static String format(double value) {
		return String.format(Locale.ROOT, "%.1f", value);
	}

}
