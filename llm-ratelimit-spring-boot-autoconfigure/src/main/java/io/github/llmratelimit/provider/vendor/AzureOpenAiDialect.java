package io.github.llmratelimit.provider.vendor;

import java.time.Duration;

import io.github.llmratelimit.Counted;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.KeyPlace;
import io.github.llmratelimit.provider.LimitHeaders;
import io.github.llmratelimit.provider.Meaning;

/**
 * Azure OpenAI, and API Management before it: limits of a deployment, of which prompt and
 * {@code max_tokens} are charged for good. Error codes are statuses; which limit was hit
 * is only said in words.
 */
final class AzureOpenAiDialect {

	static final DialectTable TABLE = DialectTable.named("azure-openai")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://*.openai.azure.com", "https://*.cognitiveservices.azure.com",
				"https://*.services.ai.azure.com")
		.key(KeyPlace.header("api-key"), KeyPlace.BEARER)
		.charges(Charge.INPUT_PLUS_MAX_OUTPUT)
		.keepsCharge()
		.hidesErrorsInStreams()
		.announcesOnly(LimitHeaders.of(Counted.REQUESTS, Duration.ofMinutes(1), "x-ratelimit", "-requests"),
				LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-ratelimit", "-tokens"),
				LimitHeaders.of(Counted.TOKENS, Duration.ofMinutes(1), "x-rate-limit", "-tokens"))
		.codeHeaders("policy-id")
		.codes(Meaning.TOKENS, "DeploymentRatelimit-Token")
		.codes(Meaning.REQUESTS, "DeploymentRatelimit-Call", "DeploymentRatelimit-Request")
		.codes(Meaning.OVERLOADED, "NoCapacity")
		.phrases(Meaning.OVERLOADED, "high demand", "peak load")
		.phrases(Meaning.TOKENS, "token rate limit", "token limit is exceeded")
		.phrases(Meaning.REQUESTS, "call rate limit", "request rate limit")
		.phrases(Meaning.QUOTA, "out of call volume quota", "out of bandwidth quota", "token quota is exceeded")
		.separatesModels()
		.build();

	private AzureOpenAiDialect() {
	}

}
