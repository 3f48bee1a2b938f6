package io.github.llmratelimit.sample.explain;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.DefaultApplicationArguments;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ExplainApplication}.
 */
class ExplainApplicationTests {

	private static final String ROWS = """
			[{"id": "fast", "provider": "openai", "status": 429, "headers": {"Retry-After": "2", "X-Odd": ["1", "2"]},
			  "body": "{\\"error\\":{\\"message\\":\\"too many 请求 \\\\u2026\\",\\"type\\":\\"requests\\",\\"code\\":\\"rate_limit_exceeded\\"}}",
			  "expected": {"category": "ignored"}},
			 {"id": "fine", "provider": "anthropic", "status": 200, "headers": {}, "body": "{}"}]""";

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteArrayOutputStream err = new ByteArrayOutputStream();

	@TempDir
	private Path directory;

	@Test
	void printsWhatEachResponseMeans() throws IOException {
		assertThat(explain(ROWS)).isZero();
		assertThat(printed(this.out)).isEqualToNormalizingNewlines("""
				[ {
				  "id" : "fast",
				  "outcome" : "THROTTLED",
				  "category" : "rate_limit_requests",
				  "retryable" : true,
				  "wait_ms" : 2000,
				  "limit" : "requests",
				  "reason" : "too many 请求 …"
				}, {
				  "id" : "fine",
				  "outcome" : "SUCCESS",
				  "category" : "not_rate_limit",
				  "retryable" : false,
				  "wait_ms" : null,
				  "limit" : null,
				  "reason" : null
				} ]
				""");
		assertThat(printed(this.err)).isEmpty();
	}

	@Test
	void namesAReceivedResponseAfterItsFile() throws IOException {
		assertThat(explain("HTTP/2 529\r\n\r\n")).isZero();
		assertThat(printed(this.out)).contains("\"id\" : \"response.txt\"", "\"category\" : \"overloaded\"");
	}

	@Test
	void takesTheProviderFromTheCommandLine() throws IOException {
		String quotaOrTokens = "HTTP/1.1 429\n\n{\"error\":{\"message\":\"slower\",\"code\":\"insufficient_quota\"}}";
		assertThat(explain(quotaOrTokens, "--provider=dashscope")).isZero();
		assertThat(printed(this.out)).contains("rate_limit_tokens");
		this.out.reset();
		assertThat(explain(quotaOrTokens)).isZero();
		assertThat(printed(this.out)).contains("quota_exhausted");
	}

	@Test
	void doesNotOverruleTheProviderInTheFile() throws IOException {
		String row = """
				{"provider": "openai", "status": 429, "body": {"error": {"message": "slower", "code": "insufficient_quota"}}}""";
		assertThat(explain(row, "--provider=dashscope")).isZero();
		assertThat(printed(this.out)).contains("quota_exhausted");
	}

	@Test
	void explainsNothingOfNothing() throws IOException {
		assertThat(explain("[]")).isZero();
		assertThat(printed(this.out).strip()).isEqualTo("[ ]");
	}

	@Test
	void saysWhichFileIsMissing() {
		Path missing = this.directory.resolve("missing.json");
		assertThat(run("--explain=" + missing)).isOne();
		assertThat(printed(this.err)).startsWith("--explain=" + missing + ": ")
			.contains("does not exist", "expected: ", "curl -i")
			.hasLineCount(1);
		assertThat(printed(this.out)).isEmpty();
	}

	@Test
	void saysThatADirectoryIsNone() {
		assertThat(run("--explain=" + this.directory)).isOne();
		assertThat(printed(this.err)).contains(this.directory.toString(), "is a directory", "expected: ")
			.hasLineCount(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "--explain", "--explain=", "--explain=\0" })
	void wantsAFile(String argument) {
		assertThat(run(argument)).isOne();
		assertThat(printed(this.err)).startsWith("--explain=").contains("expected: ").hasLineCount(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " \n ", "[{\"status\": 429, \"body\": \"\"},\n", "[{\"id\": \"x\", \"body\": \"\"}]",
			"{\"headers\": {}}" })
	void saysWhatIsWrongWithAFile(String content) throws IOException {
		assertThat(explain(content)).isOne();
		assertThat(printed(this.err)).contains("response.txt", "expected: ").hasLineCount(1);
		assertThat(printed(this.out)).isEmpty();
	}

	private int explain(String content, String... more) throws IOException {
		Path file = Files.writeString(this.directory.resolve("response.txt"), content);
		return run(Stream.concat(Stream.of("--explain=" + file), Stream.of(more)).toArray(String[]::new));
	}

	private int run(String... arguments) {
		return ExplainApplication.run(new DefaultApplicationArguments(arguments), print(this.out), print(this.err));
	}

	private static PrintStream print(ByteArrayOutputStream bytes) {
		return new PrintStream(bytes, true, StandardCharsets.UTF_8);
	}

	private static String printed(ByteArrayOutputStream bytes) {
		return bytes.toString(StandardCharsets.UTF_8);
	}

}
