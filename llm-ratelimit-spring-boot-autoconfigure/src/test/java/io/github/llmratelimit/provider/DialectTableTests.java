package io.github.llmratelimit.provider;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Counted;
import io.github.llmratelimit.LimitAlgorithm;
import io.github.llmratelimit.ObservedLimits;
import io.github.llmratelimit.ObservedLimits.Observed;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.provider.vendor.Dialects;
import io.github.llmratelimit.token.RequestFacts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dialects that users write.
 */
class DialectTableTests {

	private static final DialectTable ACME = DialectTable.named("acme")
		.like(Dialects.named("openai"))
		.baseUrls("https://api.acme.example")
		.algorithm(Counted.TOKENS, LimitAlgorithm.FIXED_WINDOW)
		.charges(Charge.INPUT)
		.givesBack()
		.outputWeight(2)
		.hidesErrors()
		.announces(LimitHeaders.of(Counted.TOKENS, Duration.ofHours(1), "x-ratelimit", "-tokens"),
				LimitHeaders.of(Counted.INPUT_TOKENS, Duration.ofMinutes(1), "x-acme", "-input"))
		.path(BodyField.DETAIL, "hint")
		.path(BodyField.INPUT_TOKENS, "cost.in")
		.statuses(Meaning.OVERLOADED, 555)
		.codeHeaders("x-acme-code")
		.resetHeaders("x-acme-reset")
		.codes(Meaning.TOKENS, "TPM_Exceeded")
		.codes(Meaning.THROTTLED, "insufficient_quota")
		.phrases(Meaning.QUOTA, "Please Recharge")
		.phrases(Meaning.CONCURRENCY, "too many requests")
		.overridingPhrases(Meaning.BANNED, "go away")
		.build();

	@Test
	void saysOnlyWhereItDiffers() {
		assertThat(ACME.name()).isEqualTo("acme");
		assertThat(ACME.baseUrls()).containsExactly("https://api.acme.example");
		assertThat(ACME.algorithm(Counted.TOKENS)).isEqualTo(LimitAlgorithm.FIXED_WINDOW);
		assertThat(ACME.algorithm(Counted.REQUESTS)).isEqualTo(Dialects.named("openai").algorithm(Counted.REQUESTS));
		assertThat(ACME.givesBack()).isTrue();
		assertThat(ACME.mayHideError(head(200, Map.of()))).isTrue();
		assertThat(ACME.estimate(RequestFacts.UNREADABLE, new TokenEstimate(5, 15, true)).output()).isZero();
	}

	@Test
	void leavesTheOtherAsItIs() {
		assertThat(Dialects.named("openai").givesBack()).isFalse();
		assertThat(Dialects.named("openai").baseUrls()).containsExactly("https://api.openai.com");
		assertThat(classify(Dialects.named("openai"), 429, Map.of(), error("insufficient_quota", "x")).outcome())
			.isEqualTo(CallOutcome.QUOTA_EXHAUSTED);
	}

	@Test
	void headersReplaceThoseOfTheSameName() {
		ObservedLimits limits = ACME.observe(head(200, Map.of("x-ratelimit-limit-tokens", "10",
				"x-ratelimit-limit-requests", "3", "x-acme-remaining-input", "7")));
		assertThat(limits.limits()).containsExactlyInAnyOrder(
				new Observed(Counted.TOKENS, Duration.ofHours(1), 10L, null, null),
				new Observed(Counted.REQUESTS, Duration.ofMinutes(1), 3L, null, null),
				new Observed(Counted.INPUT_TOKENS, Duration.ofMinutes(1), null, 7L, null));
		DialectTable silent = DialectTable.named("silent").like(ACME).announcesOnly().hidesNoErrors().build();
		assertThat(silent.observe(head(200, Map.of("x-ratelimit-limit-tokens", "10")))).isSameAs(ObservedLimits.NONE);
		assertThat(silent.mayHideError(head(200, Map.of("content-type", "text/event-stream")))).isFalse();
	}

	@Test
	void codesAreKnownInAnyCase() {
		assertThat(classify(ACME, 429, Map.of(), error("tpm_exceeded", "x")).tripped()).isEqualTo(Tripped.TOKENS);
		assertThat(classify(ACME, 429, Map.of(), error("TPM_EXCEEDED", "x")).tripped()).isEqualTo(Tripped.TOKENS);
		assertThat(classify(ACME, 429, Map.of("x-acme-code", "TPM_EXCEEDED:https://acme"), "").tripped())
			.isEqualTo(Tripped.TOKENS);
		assertThat(classify(ACME, 429, Map.of(), error("insufficient_quota", "x")).outcome())
			.isEqualTo(CallOutcome.THROTTLED);
		assertThat(classify(ACME, 555, Map.of(), "").outcome()).isEqualTo(CallOutcome.OVERLOADED);
	}

	@Test
	void ownPhrasesAreAskedBeforeInheritedOnes() {
		assertThat(classify(ACME, 429, Map.of(), error("x", "Too many requests per minute")).tripped())
			.isEqualTo(Tripped.CONCURRENCY);
		assertThat(classify(ACME, 429, Map.of(), "{\"hint\":\"please recharge\"}").outcome())
			.isEqualTo(CallOutcome.QUOTA_EXHAUSTED);
		assertThat(classify(ACME, 429, Map.of(), error("tpm_exceeded", "Go away!")).outcome())
			.isEqualTo(CallOutcome.BANNED);
	}

	@Test
	void aQuotaHasAResetOfItsOwn() {
		Map<String, String> headers = Map.of("x-acme-reset", "90");
		assertThat(classify(ACME, 402, headers, "").hint()).isEqualTo(Duration.ofSeconds(90));
		assertThat(classify(ACME, 429, headers, "").hint()).isNull();
	}

	@Test
	void datesWithoutAZoneAreLocal() {
		DialectTable local = DialectTable.named("local").like(ACME).zone(ZoneOffset.ofHours(8)).build();
		Map<String, String> headers = Map.of("date", "Mon, 31 Aug 2026 10:00:00 GMT");
		String body = error("x", "rate limit, reset at 2026-08-31 18:01:00");
		assertThat(classify(local, 429, headers, body).hint()).isEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void usageIsWhatCounts() {
		UsageReader reader = ACME.usageReader(head(200, Map.of()));
		reader.read(ByteBuffer
			.wrap("{\"cost\":{\"in\":7},\"usage\":{\"completion_tokens\":3}}".getBytes(StandardCharsets.UTF_8)));
		assertThat(reader.usage()).isEqualTo(new TokenUsage(7, 6));
	}

	private static String error(String code, String message) {
		return "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}".formatted(code, message);
	}

	private static ThrottleSignal classify(ProviderDialect dialect, int status, Map<String, String> headers,
			String body) {
		return dialect.classify(head(status, headers), body.getBytes(StandardCharsets.UTF_8));
	}

	private static ResponseHead head(int status, Map<String, String> headers) {
		return new ResponseHead(status, headers::get);
	}

}
