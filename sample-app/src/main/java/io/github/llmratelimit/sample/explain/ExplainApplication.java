package io.github.llmratelimit.sample.explain;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/**
 * Reads responses from the file in {@code --explain} and prints what each of them means,
 * as JSON. {@code --provider} names whose they are, where they do not say it themselves.
 * Needs no server and no application context.
 */
public final class ExplainApplication {

	private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	private ExplainApplication() {
	}

	/**
	 * Runs it from start to end.
	 * @param args the command line
	 * @return the exit code
	 */
	public static int run(String... args) {
		return run(new DefaultApplicationArguments(args), System.out, System.err);
	}

	static int run(ApplicationArguments arguments, PrintStream out, PrintStream err) {
		String file = Objects.requireNonNullElse(value(arguments, "explain"), "");
		try {
			print(explain(file, value(arguments, "provider")), out);
			return 0;
		}
		catch (UnreadableFileException ex) {
			err.println("--explain=" + file + ": " + ex.getMessage());
			return 1;
		}
	}

	private static List<Explanation> explain(String file, @Nullable String provider) throws UnreadableFileException {
		return ResponseFile.read(file)
			.stream()
			.map((response) -> (provider != null) ? response.from(provider) : response)
			.map(Explanation::of)
			.toList();
	}

	/** JSON is UTF-8, whatever the console is. */
	private static void print(List<Explanation> explanations, PrintStream out) {
		byte[] json = (JSON.writeValueAsString(explanations) + System.lineSeparator()).getBytes(StandardCharsets.UTF_8);
		out.write(json, 0, json.length);
		out.flush();
	}

	private static @Nullable String value(ApplicationArguments arguments, String option) {
		List<String> values = arguments.getOptionValues(option);
		return (values == null || values.isEmpty()) ? null : values.get(0);
	}

}
