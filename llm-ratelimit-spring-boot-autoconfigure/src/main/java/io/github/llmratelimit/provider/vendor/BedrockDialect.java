package io.github.llmratelimit.provider.vendor;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Amazon Bedrock: prompt and {@code maxTokens} are charged when a call begins, and set to
 * what was used when it ends, with output burning down five times itself, as that of
 * newer models of Anthropic does. Nothing is announced. Errors are told by a header or,
 * in streams, by the head of a message.
 */
final class BedrockDialect {

	static final DialectTable TABLE = DialectTable.named("bedrock")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://bedrock-runtime.*.amazonaws.com", "https://bedrock-runtime.*.amazonaws.com.cn",
				"https://bedrock-runtime-fips.*.amazonaws.com", "https://bedrock-mantle.*.api.aws")
		.charges(Charge.INPUT_PLUS_MAX_OUTPUT)
		.outputWeight(5)
		.hidesErrorsInStreams()
		.announcesOnly()
		.path(BodyField.INPUT_TOKENS, "usage.inputTokens", "metadata.usage.inputTokens", "message.usage.input_tokens",
				"amazon-bedrock-invocationMetrics.inputTokenCount", "prompt_token_count", "inputTextTokenCount")
		.path(BodyField.ADDED_INPUT_TOKENS, "usage.cacheWriteInputTokens", "metadata.usage.cacheWriteInputTokens",
				"usage.cache_creation_input_tokens", "message.usage.cache_creation_input_tokens",
				"amazon-bedrock-invocationMetrics.cacheWriteInputTokenCount")
		.path(BodyField.OUTPUT_TOKENS, "usage.outputTokens", "metadata.usage.outputTokens",
				"message.usage.output_tokens", "amazon-bedrock-invocationMetrics.outputTokenCount",
				"generation_token_count", "results.tokenCount")
		.path(BodyField.OUTPUT_TEXT, "delta.text", "delta.thinking", "delta.partial_json", "delta.toolUse.input",
				"delta.reasoningContent.text", "contentBlockDelta.delta.text", "output.message.content.text",
				"content.text")
		.path(BodyField.EMBEDDED, "bytes")
		.path(BodyField.MESSAGE, "Message")
		.path(BodyField.CODE, "__type")
		.path(BodyField.ERROR_MESSAGE, "throttlingException.message", "serviceUnavailableException.message",
				"modelStreamErrorException.message", "internalServerException.message", "validationException.message")
		.codeHeaders("x-amzn-errortype")
		.statuses(Meaning.FAILED, 424)
		.codes(Meaning.THROTTLED, "ThrottlingException", "TooManyRequestsException")
		.codes(Meaning.OVERLOADED, "ModelNotReadyException", "ServiceUnavailableException")
		.codes(Meaning.QUOTA, "ServiceQuotaExceededException")
		.codes(Meaning.FAILED, "InternalServerException", "ModelErrorException", "ModelStreamErrorException",
				"ModelTimeoutException")
		.codes(Meaning.REJECTED, "ValidationException", "AccessDeniedException", "ResourceNotFoundException",
				"ConflictException")
		.phrases(Meaning.QUOTA, "per day")
		.phrases(Meaning.CONCURRENCY, "too many connections")
		.phrases(Meaning.TOKENS, "too many tokens")
		.phrases(Meaning.REQUESTS, "too many requests", "request rate", "number of requests")
		.phrases(Meaning.OVERLOADED, "unable to process your request", "not ready for inference")
		.separatesModels()
		.streamOptions(false)
		.build();

	private BedrockDialect() {
	}

}
