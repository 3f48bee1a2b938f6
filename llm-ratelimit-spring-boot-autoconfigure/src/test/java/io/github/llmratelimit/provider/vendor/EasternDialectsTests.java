package io.github.llmratelimit.provider.vendor;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.provider.Provider;
import io.github.llmratelimit.provider.ProviderRegistry;
import io.github.llmratelimit.provider.ResponseHead;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the codes and texts of eastern and local providers mean.
 */
class EasternDialectsTests {

	@ParameterizedTest
	@CsvSource({ "https://api.deepseek.com/chat/completions,deepseek",
			"https://dashscope.aliyuncs.com/api/v1/services/aigc/text-generation/generation,dashscope",
			"https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions,dashscope",
			"https://qianfan.baidubce.com/v2/chat/completions,qianfan",
			"https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions,qianfan",
			"https://api.moonshot.ai/v1/chat/completions,moonshot", "https://api.kimi.com/coding/v1/messages,moonshot",
			"https://open.bigmodel.cn/api/paas/v4/chat/completions,zhipu",
			"https://api.z.ai/api/anthropic/v1/messages,zhipu", "https://api.minimaxi.com/v1/chat/completions,minimax",
			"https://ark.cn-beijing.volces.com/api/v3/chat/completions,volcengine",
			"https://api.siliconflow.cn/v1/chat/completions,siliconflow",
			"https://hunyuan.tencentcloudapi.com/,hunyuan", "https://api.hunyuan.cloud.tencent.com/v1/models,hunyuan",
			"http://localhost:11434/api/chat,ollama" })
	void areFoundByTheirUrls(URI url, String name) {
		Provider provider = new ProviderRegistry(Dialects.builtIn()
			.values()
			.stream()
			.map((dialect) -> new Provider(dialect.name(), dialect,
					dialect.baseUrls().stream().map(URI::create).toList()))
			.toList()).find(url);
		assertThat(provider).isNotNull().extracting(Provider::name).isEqualTo(name);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			429,Throttling.RateQuota,THROTTLED,REQUESTS
			429,LimitRequests,THROTTLED,REQUESTS
			429,limit_requests,THROTTLED,REQUESTS
			429,Throttling.BurstRate,THROTTLED,REQUESTS
			429,limit_burst_rate,THROTTLED,REQUESTS
			429,Throttling.AllocationQuota,THROTTLED,TOKENS
			429,insufficient_quota,THROTTLED,TOKENS
			429,Throttling.Concurrency,THROTTLED,CONCURRENCY
			429,Throttling,THROTTLED,UNKNOWN
			400,Arrearage,QUOTA_EXHAUSTED,NONE
			429,CommodityNotPurchased,QUOTA_EXHAUSTED,NONE
			429,PrepaidBillOverdue,QUOTA_EXHAUSTED,NONE
			429,PostpaidBillOverdue,QUOTA_EXHAUSTED,NONE
			403,AllocationQuota.FreeTierOnly,QUOTA_EXHAUSTED,NONE
			403,AccessDenied.Unpurchased,QUOTA_EXHAUSTED,NONE
			403,AccessDenied,REJECTED,NONE
			400,InvalidParameter,REJECTED,NONE
			401,InvalidApiKey,KEY_REJECTED,NONE
			500,InternalError,FAILED,NONE
			503,ModelServingError,OVERLOADED,NONE
			""")
	void dashScopeCodes(int status, String code, CallOutcome outcome, Tripped tripped) {
		assertSignal("dashscope", status, "{'code':'" + code + "','message':'Something.','request_id':'r'}", outcome,
				tripped);
		assertSignal("dashscope", status, "{'error':{'code':'" + code + "','message':'Something.'}}", outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					insufficient_quota         | Free allocated quota exceeded.                       | QUOTA_EXHAUSTED | NONE
					Throttling.AllocationQuota | hour allocated quota exceeded.                       | QUOTA_EXHAUSTED | NONE
					Throttling.AllocationQuota | Concurrency allocated quota exceeded.                | THROTTLED       | CONCURRENCY
					Throttling.RateQuota       | Batch requests are being throttled due to system capacity limits. | OVERLOADED | NONE
					unknown                    | You exceeded your current quota, please check your plan and billing details. | THROTTLED | TOKENS
					unknown                    | You exceeded your current requests list.             | THROTTLED       | REQUESTS
					""")
	void dashScopeTexts(String code, String text, CallOutcome outcome, Tripped tripped) {
		assertSignal("dashscope", 429, "{'error':{'code':'" + code + "','message':'" + text + "'}}", outcome, tripped);
	}

	@Test
	void dashScopeErrorInStream() {
		assertSignal("dashscope", 200, """
				id:1
				event:result
				:HTTP_STATUS/200
				data:{'output':{'text':'Hi'},'usage':{'input_tokens':5,'output_tokens':1},'request_id':'r'}

				id:2
				event:error
				:HTTP_STATUS/429
				data:{'code':'Throttling.RateQuota','message':'Requests rate limit exceeded','request_id':'r'}

				""", CallOutcome.THROTTLED, Tripped.REQUESTS);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			336501,THROTTLED,REQUESTS
			18,THROTTLED,REQUESTS
			4,THROTTLED,REQUESTS
			336502,THROTTLED,TOKENS
			17,QUOTA_EXHAUSTED,NONE
			19,QUOTA_EXHAUSTED,NONE
			2,OVERLOADED,NONE
			336100,OVERLOADED,NONE
			110,KEY_REJECTED,NONE
			111,KEY_REJECTED,NONE
			336003,REJECTED,NONE
			336000,FAILED,NONE
			""")
	void qianfanNumbers(int number, CallOutcome outcome, Tripped tripped) {
		assertSignal("qianfan", 200, "{'error_code':" + number + ",'error_msg':'Something','id':'as-1'}", outcome,
				tripped);
		assertSignal("qianfan", 200, "data: {'error_code':" + number + ",'error_msg':'Something'}\n\n", outcome,
				tripped);
		assertSignal("qianfan", 200, "{'code':" + number + ",'msg':'Something'}", outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			429,rpm_rate_limit_exceeded,rate_limit_exceeded,THROTTLED,REQUESTS
			429,tpm_rate_limit_exceeded,rate_limit_exceeded,THROTTLED,TOKENS
			429,input_tpm_rate_limit_exceeded,rate_limit_exceeded,THROTTLED,INPUT_TOKENS
			429,output_tpm_rate_limit_exceeded,rate_limit_exceeded,THROTTLED,OUTPUT_TOKENS
			429,preemptible_rate_limit_exceeded,rate_limit_exceeded,THROTTLED,REQUESTS
			429,cluster_tpm_rate_limit_exceeded,rate_limit_exceeded,OVERLOADED,NONE
			429,RATE_LIMIT_TOTAL_QPS,rate_limit_exceeded,THROTTLED,REQUESTS
			429,BILLING_INSUFFICIENT_BALANCE,rate_limit_exceeded,QUOTA_EXHAUSTED,NONE
			429,QUOTA_USER_DAILY_REQUEST,rate_limit_exceeded,QUOTA_EXHAUSTED,NONE
			403,account_overdue,invalid_request_error,QUOTA_EXHAUSTED,NONE
			403,access_denied,access_denied,REJECTED,NONE
			401,invalid_iam_token,invalid_request_error,KEY_REJECTED,NONE
			400,tokens_too_long,invalid_request_error,REJECTED,NONE
			500,internal_error,internal_error,FAILED,NONE
			""")
	void qianfanCodes(int status, String code, String type, CallOutcome outcome, Tripped tripped) {
		assertSignal("qianfan", status,
				"{'error':{'code':'" + code + "','message':'Something','type':'" + type + "'},'id':'as-1'}", outcome,
				tripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
							429 | rate_limit_reached_error     | Your account request reached max organization concurrency: 1, please try again after 1 seconds | THROTTLED | CONCURRENCY
							429 | rate_limit_reached_error     | Your account request reached organization max RPM: 3, please try again after 1 seconds | THROTTLED | REQUESTS
							429 | rate_limit_reached_error     | Your account request reached organization max TPM: 500000, please try again after 1 seconds | THROTTLED | TOKENS
							429 | rate_limit_reached_error     | Your account request reached organization TPD rate limit, current: 2, limit: 1 | QUOTA_EXHAUSTED | NONE
					429 | rate_limit_reached_error     | Your account request reached organization TPM rate limit, current: 2, limit: 1 | THROTTLED | TOKENS
					429 | rate_limit_reached_error     | Organization Rate limit exceeded, please try again after 1 seconds | THROTTLED | UNKNOWN
							429 | engine_overloaded_error      | The engine is currently overloaded, please try again later | OVERLOADED | NONE
							429 | rate_limit_error             | The engine is currently overloaded, please try again later | OVERLOADED | NONE
							429 | rate_limit_error             | You have reached your usage limit for this period | QUOTA_EXHAUSTED | NONE
							429 | exceeded_current_quota_error | Your account is suspended due to insufficient balance | QUOTA_EXHAUSTED | NONE
							403 | exceeded_current_quota_error | Your account is not active | QUOTA_EXHAUSTED | NONE
							403 | permission_error             | You've reached your usage limit for this billing cycle. | QUOTA_EXHAUSTED | NONE
							402 | membership                   | unable to verify your membership benefits | QUOTA_EXHAUSTED | NONE
							403 | permission_error             | Only available for coding agents | REJECTED | NONE
							400 | invalid_request_error        | Your request exceeded model token limit : 262144 | REJECTED | NONE
							""")
	void moonshot(int status, String type, String text, CallOutcome outcome, Tripped tripped) {
		assertSignal("moonshot", status, "{'error':{'type':'" + type + "','message':'" + text.replace("'", "`") + "'}}",
				outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			429,1302,THROTTLED,CONCURRENCY
			429,1303,THROTTLED,REQUESTS
			429,1305,OVERLOADED,NONE
			429,1312,OVERLOADED,NONE
			400,1234,OVERLOADED,NONE
			429,1304,QUOTA_EXHAUSTED,NONE
			429,1308,QUOTA_EXHAUSTED,NONE
			429,1309,QUOTA_EXHAUSTED,NONE
			429,1310,QUOTA_EXHAUSTED,NONE
			429,1311,QUOTA_EXHAUSTED,NONE
			429,1313,QUOTA_EXHAUSTED,NONE
			429,1113,QUOTA_EXHAUSTED,NONE
			429,1112,BANNED,NONE
			429,1121,BANNED,NONE
			401,1002,KEY_REJECTED,NONE
			400,1261,REJECTED,NONE
			400,1301,REJECTED,NONE
			400,1214,REJECTED,NONE
			500,1230,FAILED,NONE
			""")
	void zhipuNumbers(int status, int number, CallOutcome outcome, Tripped tripped) {
		assertSignal("zhipu", status, "{'error':{'code':'" + number + "','message':'Something'}}", outcome, tripped);
		assertSignal("zhipu", 200, "{'error':{'code':'" + number + "','message':'Something'}}", outcome, tripped);
		assertSignal("zhipu", 200, "data: {'error':{'code':'" + number + "','message':'Something'}}\n\n", outcome,
				tripped);
		assertSignal("zhipu", status,
				"{'type':'error','error':{'type':'rate_limit_error','message':'[" + number + "][Something][r]'}}",
				outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			1002,THROTTLED,REQUESTS
			2045,THROTTLED,REQUESTS
			1039,THROTTLED,TOKENS
			1041,THROTTLED,CONCURRENCY
			1008,QUOTA_EXHAUSTED,NONE
			1028,QUOTA_EXHAUSTED,NONE
			1030,QUOTA_EXHAUSTED,NONE
			2056,QUOTA_EXHAUSTED,NONE
			2061,QUOTA_EXHAUSTED,NONE
			1000,OVERLOADED,NONE
			1001,OVERLOADED,NONE
			1024,OVERLOADED,NONE
			1033,OVERLOADED,NONE
			1004,KEY_REJECTED,NONE
			2049,KEY_REJECTED,NONE
			1026,REJECTED,NONE
			1027,REJECTED,NONE
			2013,REJECTED,NONE
			""")
	void miniMaxNumbers(int number, CallOutcome outcome, Tripped tripped) {
		assertSignal("minimax", 200, "{'choices':null,'base_resp':{'status_code':" + number + ",'status_msg':'x'}}",
				outcome, tripped);
		assertSignal("minimax", 500,
				"{'type':'error','error':{'type':'rate_limit_error','message':'x (" + number + ")'}}", outcome,
				tripped);
	}

	@Test
	void miniMaxZeroIsNoError() {
		assertSignal("minimax", 200,
				"{'choices':[],'usage':{'total_tokens':9},'base_resp':{'status_code':0,'status_msg':'success'}}",
				CallOutcome.SUCCESS, Tripped.NONE);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			429,RateLimitExceeded.EndpointRPMExceeded,THROTTLED,REQUESTS
			429,RateLimitExceeded.FoundationModelRPMExceeded,THROTTLED,REQUESTS
			429,ModelAccountRpmRateLimitExceeded,THROTTLED,REQUESTS
			429,APIAccountRpmRateLimitExceeded,THROTTLED,REQUESTS
			429,RequestBurstTooFast,THROTTLED,REQUESTS
			429,RateLimitExceeded.EndpointTPMExceeded,THROTTLED,TOKENS
			429,ModelAccountTpmRateLimitExceeded,THROTTLED,TOKENS
			429,ModelAccountIpmRateLimitExceeded,THROTTLED,UNKNOWN
			429,AccountRateLimitExceeded,THROTTLED,UNKNOWN
			429,SomethingNew,THROTTLED,UNKNOWN
			429,InflightBatchsizeExceeded,THROTTLED,CONCURRENCY
			429,ServerOverloaded,OVERLOADED,NONE
			429,QuotaExceeded,QUOTA_EXHAUSTED,NONE
			429,SetLimitExceeded,QUOTA_EXHAUSTED,NONE
			429,AccountQuotaExceeded,QUOTA_EXHAUSTED,NONE
			403,AccountOverdueError,QUOTA_EXHAUSTED,NONE
			403,OperationDenied.ServiceOverdue,QUOTA_EXHAUSTED,NONE
			403,AccessDenied,REJECTED,NONE
			401,AuthenticationError,KEY_REJECTED,NONE
			500,InternalServiceError,FAILED,NONE
			""")
	void volcengineCodes(int status, String code, CallOutcome outcome, Tripped tripped) {
		String type = (status == 429) ? "TooManyRequests" : "Forbidden";
		assertSignal("volcengine", status,
				"{'error':{'code':'" + code + "','message':'Something. Request ID: r','type':'" + type + "'}}", outcome,
				tripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					429 | {'message':'Request was rejected due to rate limiting. Details: TPM limit reached.','data':null} | THROTTLED | TOKENS
					429 | {'message':'Request was rejected due to rate limiting. Details: RPM limit reached.','data':null} | THROTTLED | REQUESTS
					429 | {'message':'Request was rejected due to rate limiting. Details: RPH limit reached.','data':null} | THROTTLED | REQUESTS
					429 | {'message':'Request was rejected due to rate limiting. Details: IPM limit reached.','data':null} | THROTTLED | UNKNOWN
					429 | {'message':'Request was rejected due to rate limiting. Details: RPD limit reached.','data':null} | QUOTA_EXHAUSTED | NONE
					429 | {'message':'Request was rejected due to rate limiting. Details: IPD limit reached.','data':null} | QUOTA_EXHAUSTED | NONE
					403 | {'code':30001,'message':'Sorry, your account balance is insufficient','data':null} | QUOTA_EXHAUSTED | NONE
					402 | {'code':30001,'message':'Sorry, your account balance is insufficient','data':null} | QUOTA_EXHAUSTED | NONE
					403 | {'code':30013,'message':'Please complete identity verification','data':null}       | REJECTED  | NONE
					503 | {'code':50505,'message':'Model service overloaded. Please try again later.','data':null} | OVERLOADED | NONE
					500 | {'code':50603,'message':'System is too busy now. Please try again later.','data':null} | OVERLOADED | NONE
					504 | gateway timeout                                                                    | FAILED    | NONE
					400 | {'code':20012,'message':'Model does not exist.','data':null}                       | REJECTED  | NONE
					401 | 'Invalid token'                                                                    | KEY_REJECTED | NONE
					""")
	void siliconFlow(int status, String body, CallOutcome outcome, Tripped tripped) {
		assertSignal("siliconflow", status, body, outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			RequestLimitExceeded,THROTTLED,REQUESTS
			RequestLimitExceeded.UinLimitExceeded,THROTTLED,REQUESTS
			LimitExceeded,THROTTLED,UNKNOWN
			FailedOperation.EngineServerLimitExceeded,THROTTLED,UNKNOWN
			FailedOperation.ResourcePackExhausted,QUOTA_EXHAUSTED,NONE
			FailedOperation.FreeResourcePackExhausted,QUOTA_EXHAUSTED,NONE
			FailedOperation.ServiceStopArrears,QUOTA_EXHAUSTED,NONE
			ResourceInsufficient.ChargeResourceExhaust,QUOTA_EXHAUSTED,NONE
			ResourceInsufficient,OVERLOADED,NONE
			FailedOperation.EngineServerError,OVERLOADED,NONE
			AuthFailure.SignatureFailure,KEY_REJECTED,NONE
			InvalidParameterValue,REJECTED,NONE
			InternalError,FAILED,NONE
			""")
	void hunyuanCodes(String code, CallOutcome outcome, Tripped tripped) {
		String body = "{'Response':{'Error':{'Code':'" + code + "','Message':'x'},'RequestId':'r'}}";
		assertSignal("hunyuan", 200, body, outcome, tripped);
		assertSignal("hunyuan", 200, "data: " + body + "\n\n", outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					429 | {'code':'EXCEED_CONCURRENT_REQUEST_LIMIT','message':'x','requestId':'r'} | THROTTLED       | CONCURRENCY
					429 | {'code':'EXCEED_TOKEN_QUOTA_LIMIT','message':'Token usage exceeded quota limit'} | QUOTA_EXHAUSTED | NONE
					200 | {'ErrorMsg':{'Msg':'请求并发数超过限制','Code':5001}}                    | THROTTLED       | CONCURRENCY
					200 | {'Note':'x','Choices':[{'Delta':{'Content':'Hi'}}],'Usage':{'PromptTokens':1}} | SUCCESS   | NONE
					""")
	void hunyuanOthers(int status, String body, CallOutcome outcome, Tripped tripped) {
		assertSignal("hunyuan", status, body, outcome, tripped);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					deepseek | 402 | {'error':{'message':'Insufficient Balance','type':'unknown_error','code':'invalid_request_error'}} | QUOTA_EXHAUSTED | NONE
					deepseek | 429 | {'error':{'message':'Rate limit reached','type':'rate_limit_error'}}                | THROTTLED  | UNKNOWN
					deepseek | 503 | {'error':{'message':'Service is too busy','type':'service_unavailable_error'}}      | OVERLOADED | NONE
					deepseek | 422 | {'error':{'message':'Invalid parameters','type':'invalid_request_error'}}           | REJECTED   | NONE
					deepseek | 500 | {'error':{'message':'Server error','type':'server_error'}}                          | FAILED     | NONE
					ollama   | 503 | {'error':'server busy, please try again.  maximum pending requests exceeded'}       | OVERLOADED | NONE
					ollama   | 404 | {'error':'model not found, try pulling it first'}                                   | REJECTED   | NONE
					ollama   | 500 | {'error':'llama runner process has terminated'}                                     | FAILED     | NONE
					ollama   | 200 | {'error':'server busy, please try again.  maximum pending requests exceeded'}       | OVERLOADED | NONE
					vllm     | 429 | {'error':{'message':'The request queue is full','type':'TooManyRequests','code':429}} | OVERLOADED | NONE
					vllm     | 503 | {'error':{'message':'x'}}                                                           | OVERLOADED | NONE
					vllm     | 400 | {'object':'error','message':'maximum context length is 4096 tokens','code':400}     | REJECTED   | NONE
					""")
	void others(String dialect, int status, String body, CallOutcome outcome, Tripped tripped) {
		assertSignal(dialect, status, body, outcome, tripped);
	}

	/** Dates without a zone are Beijing's. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					zhipu      | {'error':{'code':'1308','message':'已达到 5 小时的使用上限。您的限额将在 2026-08-24 00:09:21 重置。'}} | PT9M21S
					zhipu      | {'error':{'code':'1310','message':'您已达到每周/每月使用上限，您的限额将在 2026-08-25 00:00:00 重置。'}} | PT24H
					minimax    | {'error':{'type':'rate_limit_error','message':'usage limit exceeded, resets at 2026-08-23T19:00:00Z (2056)'}} | PT3H
					volcengine | {'error':{'code':'AccountQuotaExceeded','message':'It will reset at 2026-08-24 02:00:00 +0800 CST'}} | PT2H
					""")
	void untilQuotaIsReset(String dialect, String body, Duration wait) {
		ResponseHead head = new ResponseHead(429, Map.of("date", "Sun, 23 Aug 2026 16:00:00 GMT")::get);
		ThrottleSignal signal = Dialects.named(dialect).classify(head, json(body));
		assertThat(signal.outcome()).isEqualTo(CallOutcome.QUOTA_EXHAUSTED);
		assertThat(signal.hint()).isEqualTo(wait);
	}

	/** Texts alone, from relays and gateways in front of providers. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			429 | 当前分组上游负载已饱和，请稍后再试           | OVERLOADED      | NONE
			403 | 用户额度不足，剩余额度                       | QUOTA_EXHAUSTED | NONE
			429 | 您的账户余额不足，请充值                     | QUOTA_EXHAUSTED | NONE
			429 | 您当前使用该 API 的并发数过高，请降低并发    | THROTTLED       | CONCURRENCY
			429 | 您当前使用该 API 的频率过高，请降低频率      | THROTTLED       | REQUESTS
			429 | 账户已被锁定                                 | BANNED          | NONE
			429 | 请求过于频繁，请 5 秒后重试                  | THROTTLED       | UNKNOWN
			400 | 余额是什么意思                               | REJECTED        | NONE
			""")
	void chineseTexts(int status, String text, CallOutcome outcome, Tripped tripped) {
		assertSignal("openai-compatible", status, "{'error':{'message':'" + text + "'}}", outcome, tripped);
	}

	/** How long to wait, as gateways and texts in Chinese say it. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{'message':'slow down','retry_after':1.5}                             | PT1.5S
			{'error':{'message':'slow down','retry_after':7}}                     | PT7S
			{'error':{'message':'Rate limit is exceeded. Try again in 12 seconds.'}} | PT12S
			{'error':{'message':'请求过于频繁，请 5 秒后重试'}}                   | PT5S
			{'error':{'message':'请求过多，请在 2026-08-24 00:00:30 后重试'}}     | PT30S
			""")
	void untilAdmitted(String body, Duration wait) {
		ResponseHead head = new ResponseHead(429, Map.of("date", "Sun, 23 Aug 2026 16:00:00 GMT")::get);
		ThrottleSignal signal = Dialects.named("zhipu").classify(head, json(body));
		assertThat(signal.outcome()).isEqualTo(CallOutcome.THROTTLED);
		assertThat(signal.hint()).isEqualTo(wait);
	}

	private static void assertSignal(String dialect, int status, String body, CallOutcome outcome, Tripped tripped) {
		ThrottleSignal signal = Dialects.named(dialect).classify(new ResponseHead(status, (name) -> null), json(body));
		assertThat(signal.outcome()).as(body).isEqualTo(outcome);
		assertThat(signal.tripped()).as(body).isEqualTo(tripped);
	}

	private static byte[] json(String text) {
		return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
	}

}
