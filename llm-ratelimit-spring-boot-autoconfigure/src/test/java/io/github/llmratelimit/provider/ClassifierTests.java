package io.github.llmratelimit.provider;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Level;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.provider.vendor.Dialects;

import static org.assertj.core.api.Assertions.assertThat;

class ClassifierTests {

	private static final String RATE = "Rate limit reached for gpt-4o in organization <org> on ";

	@ParameterizedTest
	@CsvSource({ "200,SUCCESS", "204,SUCCESS", "304,REJECTED", "400,REJECTED", "401,KEY_REJECTED",
			"402,QUOTA_EXHAUSTED", "403,REJECTED", "404,REJECTED", "408,REJECTED", "413,TOO_LARGE", "422,REJECTED",
			"429,THROTTLED", "439,THROTTLED", "500,FAILED", "502,FAILED", "503,OVERLOADED", "504,FAILED",
			"529,OVERLOADED" })
	void bareStatus(int status, CallOutcome outcome) {
		for (ProviderDialect dialect : Dialects.builtIn().values()) {
			for (String body : new String[] { "", "{}", "null", "<html></html>", "[]", "oops" }) {
				assertThat(dialect.classify(head(status), bytes(body)).outcome()).as(body).isEqualTo(outcome);
			}
		}
	}

	/** Every row of OpenAI's error table. */
	@ParameterizedTest
	@CsvSource(nullValues = "null", textBlock = """
			429,requests,rate_limit_exceeded,THROTTLED,REQUESTS
			429,tokens,rate_limit_exceeded,THROTTLED,TOKENS
			439,tokens,rate_limit_exceeded,THROTTLED,TOKENS
			429,null,rate_limit_exceeded,THROTTLED,UNKNOWN
			429,insufficient_quota,insufficient_quota,QUOTA_EXHAUSTED,NONE
			429,insufficient_quota,null,QUOTA_EXHAUSTED,NONE
			429,insufficient_quota,credit_balance_exhausted,QUOTA_EXHAUSTED,NONE
			429,null,credit_balance_exhausted,QUOTA_EXHAUSTED,NONE
			429,insufficient_quota,organization_spend_limit_exceeded,QUOTA_EXHAUSTED,NONE
			429,null,project_spend_limit_exceeded,QUOTA_EXHAUSTED,NONE
			429,null,organization_usage_limit_exceeded,QUOTA_EXHAUSTED,NONE
			429,billing_not_active,billing_not_active,QUOTA_EXHAUSTED,NONE
			400,invalid_request_error,billing_hard_limit_reached,QUOTA_EXHAUSTED,NONE
			429,rate_limit_error,slow_down,OVERLOADED,NONE
			503,rate_limit_error,slow_down,OVERLOADED,NONE
			503,service_unavailable_error,server_is_overloaded,OVERLOADED,NONE
			400,invalid_request_error,context_length_exceeded,REJECTED,NONE
			400,invalid_request_error,invalid_value,REJECTED,NONE
			401,invalid_request_error,invalid_api_key,KEY_REJECTED,NONE
			401,invalid_request_error,account_deactivated,BANNED,NONE
			403,null,access_terminated,BANNED,NONE
			403,insufficient_quota,null,QUOTA_EXHAUSTED,NONE
			404,invalid_request_error,model_not_found,REJECTED,NONE
			413,tokens,rate_limit_exceeded,TOO_LARGE,NONE
			500,server_error,null,FAILED,NONE
			500,null,rate_limit,THROTTLED,UNKNOWN
			""")
	void codes(int status, String type, String code, CallOutcome outcome, Tripped tripped) {
		assertSignal(classify(status, error(type, code, "Something.")), outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					429 | tokens per min (TPM): Limit 10000, Used 9000, Requested 2000.              | THROTTLED | TOKENS
					429 | tokens per day (TPD): Limit 10000, Used 9000, Requested 2000.              | THROTTLED | TOKENS
					429 | requests per min (RPM): Limit 3, Used 3, Requested 1.                      | THROTTLED | REQUESTS
					429 | requests per day (RPD): Limit 200, Used 200, Requested 1.                  | THROTTLED | REQUESTS
					429 | requests per min. Limit: 3 / min. Please try again in 20s. Add a payment method, see /account/billing | THROTTLED | REQUESTS
					429 | images per min (IPM): Limit 5, Used 5, Requested 1.                        | THROTTLED | UNKNOWN
					429 | tokens per min (TPM): Limit 30000, Requested 30601.                        | TOO_LARGE | NONE
					429 | tokens per min (TPM): Limit 30000, Used 12, Requested 30601.               | TOO_LARGE | NONE
					""")
	void textsWithoutCodes(int status, String text, CallOutcome outcome, Tripped tripped) {
		assertSignal(classify(status, error(null, null, RATE + text)), outcome, tripped);
		assertSignal(classify(status, error(null, "rate_limit_exceeded", RATE + text)), outcome, tripped);
		assertSignal(classify(status, RATE + text), outcome, tripped);
		assertSignal(classify(200, error(null, "rate_limit_exceeded", RATE + text)), outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					429 | You exceeded your current quota, please check your plan and billing details.   | QUOTA_EXHAUSTED | NONE
					429 | Your account is not active, please check your billing details on our website.   | QUOTA_EXHAUSTED | NONE
					429 | That model is currently overloaded with other requests.                         | OVERLOADED      | NONE
					500 | The server is currently overloaded with other requests. Sorry about that!       | OVERLOADED      | NONE
					429 | Concurrency limit reached for requests                                          | THROTTLED       | CONCURRENCY
					429 | Too many requests                                                               | THROTTLED       | UNKNOWN
					403 | You have exceeded a secondary rate limit.                                       | THROTTLED       | UNKNOWN
					400 | maximum context length is 8192 tokens; tokens per message; rate limit           | REJECTED        | NONE
					404 | No such model; see our rate limit page                                          | REJECTED        | NONE
					500 | Request too large for the proxy                                                 | FAILED          | NONE
					""")
	void texts(int status, String text, CallOutcome outcome, Tripped tripped) {
		assertSignal(classify(status, error("invalid_request_error", null, text)), outcome, tripped);
		assertSignal(classify(status, text), outcome, tripped);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"error\":{\"code\":429,\"message\":\"x\"}}",
			"{\"error\":{\"code\":\"429\",\"message\":\"x\"}}", "{\"error\":\"rate limited\"}",
			"{\"error\":\"Too Many Requests\",\"status\":429}", "[{\"error\":{\"code\":429}}]",
			"{\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"x\"}",
			"{\"choices\":null,\"error\":{\"type\":\"rate_limit_error\"}}", "data: {\"error\":{\"code\":429}}\n\n",
			": ping\n\nevent: error\ndata: {\"error\":\"rate limit\"}\n\n",
			"data: {\"type\":\"response.created\"}\n\ndata: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\"}\n\n",
			"data: {\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"cut he" })
	void findsErrorsInSuccesses(String body) {
		assertSignal(classify(200, body), CallOutcome.THROTTLED, Tripped.UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"error\":null}", "{\"error\":{}}", "{\"error\":\"\"}", "{\"error\":false}",
			"{\"error\":{\"code\":null,\"message\":null}}", "{\"choices\":[{\"message\":{\"error\":\"rate limit\"}}]}",
			"{\"choices\":[{\"message\":{\"content\":\"\\\"error\\\":{\\\"code\\\":429}\"}}]}",
			"{\"code\":200,\"message\":\"Success\",\"status\":\"completed\"}",
			"{\"type\":\"message\",\"message\":\"ok\"}", "data: {\"choices\":[],\"error\":null}\n\ndata: [DONE]\n\n",
			"error: rate limit", "plain text: rate limit",
			"data: {\"type\":\"response.output_text.delta\",\"delta\":\"rate limit\"}\n\n" })
	void findsNoErrorWhereThereIsNone(String body) {
		assertThat(classify(200, body)).isEqualTo(ThrottleSignal.SUCCESS);
	}

	@Test
	void anUnknownErrorInASuccessIsAFailure() {
		assertSignal(classify(200, error("server_error", null, "failed after output")), CallOutcome.FAILED,
				Tripped.NONE);
	}

	@Test
	void computesTheHintThatTheTextLacks() {
		assertThat(classify(429,
				error("tokens", "rate_limit_exceeded",
						RATE + "tokens per min (TPM): Limit 10000, Used 5775, Requested 4301."))
			.hint()).isEqualTo(Duration.ofMillis(456));
		assertThat(classify(429,
				error("requests", "rate_limit_exceeded",
						RATE + "requests per day (RPD): Limit 200, Used 200, Requested 1."))
			.hint()).isEqualTo(Duration.ofSeconds(432));
		assertThat(classify(429, error("requests", null, RATE + "something: Limit 200, Used 200, Requested 1.")).hint())
			.isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			tokens per min (TPM): Limit 30,000, Used 29,500, Requested 1,500. | THROTTLED | 2000
			tokens per min: Limit: 30000, Used: 29500, Requested ~1500.       | THROTTLED | 2000
			tokens per min, see limits per day: Limit 600, Used 600, Requested 10 | THROTTLED | 1000
			requests per hour: Limit 3600, Used 3600, Requested 1             | THROTTLED | 1000
			requests per sec: Limit 10, Used 10, Requested 1                  | THROTTLED | 100
			requests as per contract: Limit 10, Used 10, Requested 1          | THROTTLED | null
			tokens per min: Limit 10, Used 2, Requested 1                     | THROTTLED | 0
			tokens per min: Limit 30,000, Requested 30,001                    | TOO_LARGE | null
			tokens per min: Limit 0, Used 0, Requested 5                      | TOO_LARGE | null
			tokens per min: Limit 10000,Used 9000,Requested 3000              | THROTTLED | 12000
			""")
	void readsTheNumbersThatExplainARefusal(String text, CallOutcome outcome, Long millis) {
		ThrottleSignal signal = classify(429, error("tokens", "rate_limit_exceeded", RATE + text));
		assertThat(signal.outcome()).isEqualTo(outcome);
		assertThat(signal.hint()).isEqualTo((millis != null) ? Duration.ofMillis(millis) : null);
	}

	@Test
	void takesTheMostPreciseHintThatCanBeRead() {
		Map<String, String> headers = new HashMap<>(Map.of("retry-after-ms", "1500", "retry-after", "2", "ratelimit",
				"\"default\";r=0;t=3", "x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "7s"));
		String body = """
				{"error":{"type":"requests","code":"rate_limit_exceeded","resets_in_seconds":4,
				 "message":"requests per min (RPM): Limit 10, Used 10, Requested 1. Please try again in 5s."}}""";
		ProviderDialect dialect = Dialects.named("openai-compatible");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isEqualTo(Duration.ofMillis(1500));
		headers.put("retry-after-ms", "soon");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isEqualTo(Duration.ofSeconds(2));
		headers.put("retry-after", "-1");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isEqualTo(Duration.ofSeconds(3));
		headers.put("ratelimit", "\"default\";r=0;t=");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isEqualTo(Duration.ofSeconds(4));
		body = body.replace("4,", "null,");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isEqualTo(Duration.ofSeconds(5));
		body = body.replace(" Please try again in 5s.", "");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isEqualTo(Duration.ofSeconds(6));
		body = body.replace("Used 10, ", "");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isEqualTo(Duration.ofSeconds(7));
		headers.remove("x-ratelimit-reset-requests");
		assertThat(dialect.classify(head(429, headers), bytes(body)).hint()).isNull();
	}

	@Test
	void takesTheResetOfTheEmptyLimit() {
		Map<String, String> headers = Map.of("x-ratelimit-remaining-requests", "59", "x-ratelimit-reset-requests", "1s",
				"x-ratelimit-remaining-tokens", "0", "x-ratelimit-reset-tokens", "6m0s");
		ThrottleSignal signal = Dialects.named("openai").classify(head(429, headers), new byte[0]);
		assertThat(signal).isEqualTo(ThrottleSignal.throttled(Tripped.TOKENS, Duration.ofMinutes(6), null));
	}

	@Test
	void takesNoResetOfALimitThatIsNotEmpty() {
		Map<String, String> headers = Map.of("x-ratelimit-remaining-requests", "59", "x-ratelimit-reset-requests", "1s",
				"x-ratelimit-remaining-tokens", "-1", "x-ratelimit-reset-tokens", "0");
		ThrottleSignal signal = Dialects.named("openai").classify(head(429, headers), new byte[0]);
		assertThat(signal).isEqualTo(ThrottleSignal.throttled(Tripped.UNKNOWN, null, null));
	}

	@Test
	void hintsOnlyWhereWaitingHelps() {
		Map<String, String> headers = Map.of("retry-after", "5");
		assertThat(Dialects.named("openai").classify(head(503, headers), new byte[0]).hint())
			.isEqualTo(Duration.ofSeconds(5));
		assertThat(Dialects.named("openai").classify(head(402, headers), new byte[0]).hint())
			.isEqualTo(Duration.ofSeconds(5));
		assertThat(Dialects.named("openai").classify(head(413, headers), new byte[0]).hint()).isNull();
		assertThat(Dialects.named("openai").classify(head(500, headers), new byte[0]).hint()).isNull();
		assertThat(classify(429, error("insufficient_quota", null, "Please try again in 20s.")).hint()).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "null", textBlock = """
			GenerateRequestsPerDayPerProjectPerModel: limit: 0, daily limit | MODEL
			Usage limit for model gpt-4o reached                            | MODEL
			Key limit exceeded: usage limit of your account                 | KEY
			You exceeded your current quota, please check your plan and billing details. | ACCOUNT
			Your organization has reached its spend limit                   | ACCOUNT
			\u8d26\u6237\u4f59\u989d\u4e0d\u8db3: insufficient balance           | ACCOUNT
			The usage limit has been reached                                | null
			""")
	void namesTheLevelOfAQuota(String text, Level level) {
		assertThat(classify(429, error(null, null, text)).level()).isEqualTo(level);
		assertThat(classify(429, error(null, "tokens", text)).level()).isNull();
	}

	@Test
	void reasonIsShortAndHasNoSecrets() {
		assertThat(classify(401, error(null, "invalid_api_key",
				"Incorrect API key provided: sk-abcdef***wxyz.\nYou can find your API key at https://platform.openai.com."))
			.reason())
			.isEqualTo("Incorrect API key provided: …. You can find your API key at https://platform.openai.com.");
		assertThat(classify(429, "busy " + "x ".repeat(10_000)).reason()).hasSizeLessThan(210);
		assertThat(classify(429, error(null, "1302", "")).reason()).isEqualTo("1302");
		assertThat(classify(429, "").reason()).isNull();
	}

	private static void assertSignal(ThrottleSignal signal, CallOutcome outcome, Tripped tripped) {
		assertThat(signal.outcome()).isEqualTo(outcome);
		assertThat(signal.tripped()).isEqualTo(tripped);
	}

	private static ThrottleSignal classify(int status, String body) {
		return Dialects.named("openai").classify(head(status), bytes(body));
	}

	private static String error(String type, String code, String message) {
		return "{\"error\":{\"message\":%s,\"type\":%s,\"param\":null,\"code\":%s}}".formatted(quoted(message),
				quoted(type), quoted(code));
	}

	private static String quoted(String text) {
		return (text != null) ? '"' + text.replace("\n", "\\n") + '"' : "null";
	}

	private static ResponseHead head(int status) {
		return head(status, Map.of());
	}

	private static ResponseHead head(int status, Map<String, String> headers) {
		return new ResponseHead(status, headers::get);
	}

	private static byte[] bytes(String body) {
		return body.getBytes(StandardCharsets.UTF_8);
	}

}
