package io.github.llmratelimit.provider.vendor;

import java.time.ZoneOffset;

import io.github.llmratelimit.provider.BodyField;
import io.github.llmratelimit.provider.Charge;
import io.github.llmratelimit.provider.DialectTable;
import io.github.llmratelimit.provider.Meaning;

/**
 * Tencent's Hunyuan: the cloud's own API, whose errors come with a status of 200,
 * OpenAI's language, and CloudBase. Limits calls in flight and requests per second.
 */
final class HunyuanDialect {

	static final DialectTable TABLE = DialectTable.named("hunyuan")
		.like(OpenAiCompatibleDialect.TABLE)
		.baseUrls("https://hunyuan.tencentcloudapi.com", "https://api.hunyuan.cloud.tencent.com",
				"https://*.api.tcloudbasegateway.com")
		.charges(Charge.INPUT_PLUS_LIKELY_OUTPUT)
		.zone(ZoneOffset.ofHours(8))
		.path(BodyField.INPUT_TOKENS, "Usage.PromptTokens", "Response.Usage.PromptTokens")
		.path(BodyField.OUTPUT_TOKENS, "Usage.CompletionTokens", "Response.Usage.CompletionTokens")
		.path(BodyField.TOTAL_TOKENS, "Usage.TotalTokens", "Response.Usage.TotalTokens")
		.path(BodyField.OUTPUT_TEXT, "Choices.Delta.Content", "Choices.Delta.ReasoningContent",
				"Response.Choices.Message.Content")
		.path(BodyField.ERROR_CODE, "Response.Error.Code", "Response.ErrorMsg.Code", "ErrorMsg.Code", "Error.Code")
		.path(BodyField.ERROR_MESSAGE, "Response.Error.Message", "Response.ErrorMsg.Msg", "ErrorMsg.Msg",
				"Error.Message")
		.codes(Meaning.THROTTLED, "LimitExceeded", "FailedOperation.EngineServerLimitExceeded")
		.codes(Meaning.REQUESTS, "RequestLimitExceeded", "RequestLimitExceeded.UinLimitExceeded",
				"RequestLimitExceeded.IPLimitExceeded", "RequestLimitExceeded.GlobalRegionUinLimitExceeded")
		.codes(Meaning.CONCURRENCY, "EXCEED_CONCURRENT_REQUEST_LIMIT")
		.codes(Meaning.QUOTA, "EXCEED_TOKEN_QUOTA_LIMIT", "FailedOperation.FreeResourcePackExhausted",
				"FailedOperation.ResourcePackExhausted", "FailedOperation.ServiceStopArrears",
				"ResourceInsufficient.ChargeResourceExhaust", "ResourceUnavailable.InArrears",
				"ResourceUnavailable.LowBalance")
		.codes(Meaning.OVERLOADED, "ResourceInsufficient", "FailedOperation.EngineServerError",
				"FailedOperation.EngineRequestTimeout")
		.codes(Meaning.KEY_REJECTED, "AuthFailure", "AuthFailure.InvalidAuthorization", "AuthFailure.InvalidSecretId",
				"AuthFailure.SecretIdNotFound", "AuthFailure.SignatureExpire", "AuthFailure.SignatureFailure",
				"AuthFailure.TokenFailure")
		.codes(Meaning.REJECTED, "InvalidParameter", "InvalidParameterValue", "InvalidParameterValue.Model",
				"MissingParameter", "UnauthorizedOperation", "FailedOperation.ServiceNotActivated",
				"FailedOperation.ServiceStop", "OperationDenied.TextIllegalDetected")
		.phrases(Meaning.QUOTA, "exceeded quota limit")
		.build();

	private HunyuanDialect() {
	}

}
