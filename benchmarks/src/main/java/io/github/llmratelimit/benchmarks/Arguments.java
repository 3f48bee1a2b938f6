package io.github.llmratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Options of a benchmark, {@code --name} or {@code --name=value}. Immutable.
 *
 * @param options the values by name
 */
public record Arguments(Map<String, String> options) {

	private static final String PREFIX = "--";

	/**
	 * Reads options.
	 * @param arguments what stands behind the name of the benchmark
	 * @return the options
	 */
	public static Arguments of(List<String> arguments) {
		Map<String, String> options = new TreeMap<>();
		for (String argument : arguments) {
			if (!argument.startsWith(PREFIX)) {
				throw new IllegalArgumentException(argument + " (expected: --name or --name=value)");
			}
			String[] parts = argument.substring(PREFIX.length()).split("=", 2);
			options.put(parts[0], (parts.length > 1) ? parts[1] : "");
		}
		return new Arguments(options);
	}

	/**
	 * Whether a short run is wanted, which shows that everything works but measures
	 * nothing well.
	 * @return true with {@code --quick}
	 */
	public boolean isQuick() {
		return this.options.containsKey("quick");
	}

	/**
	 * The value of an option.
	 * @param name its name
	 * @param otherwise its value if it is not given
	 * @return the value
	 */
	public int number(String name, int otherwise) {
		String value = this.options.get(name);
		return (value != null) ? Integer.parseInt(value) : otherwise;
	}

	/**
	 * The same options as they were given.
	 * @return arguments for another process
	 */
	public List<String> toList() {
		List<String> arguments = new ArrayList<>();
		this.options.forEach((name, value) -> arguments.add(PREFIX + name + (value.isEmpty() ? "" : "=" + value)));
		return arguments;
	}

}
