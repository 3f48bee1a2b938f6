package io.github.llmratelimit.benchmarks.exchange;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.github.llmratelimit.benchmarks.Arguments;
import io.github.llmratelimit.benchmarks.Benchmark;

/**
 * A client with the filter beside one without, against the same server. Client and server
 * are processes of their own, each with one event loop and, where {@code taskset} is
 * there, one processor.
 */
public final class ExchangeBenchmark implements Benchmark {

	private static final Path TASKSET = Path.of("/usr/bin/taskset");

	@Override
	public int run(Arguments arguments) throws IOException, InterruptedException {
		Process server = start(0, ExchangeServer.class, List.of());
		try (BufferedReader output = server.inputReader()) {
			List<String> clientArguments = new ArrayList<>(List.of(output.readLine()));
			clientArguments.addAll(arguments.toList());
			return runClient(start(1, ExchangeClient.class, clientArguments));
		}
		finally {
			server.destroy();
		}
	}

	private static int runClient(Process client) throws IOException, InterruptedException {
		try (BufferedReader output = client.inputReader()) {
			output.lines().forEach(System.out::println);
			return client.waitFor();
		}
		finally {
			client.destroy();
		}
	}

	private static Process start(int processor, Class<?> main, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>();
		if (Files.isExecutable(TASKSET) && processor < Runtime.getRuntime().availableProcessors()) {
			command.addAll(List.of(TASKSET.toString(), "-c", Integer.toString(processor)));
		}
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms512m",
				"-Xmx512m", "-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(arguments);
		return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
	}

}
