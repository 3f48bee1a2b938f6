package io.github.llmratelimit.provider.vendor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.ThrottleSignal.Tripped;
import io.github.llmratelimit.TokenEstimate;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.provider.ResponseHead;
import io.github.llmratelimit.provider.UsageReader;
import io.github.llmratelimit.token.RequestFacts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What answers of providers say about tokens, in their own formats and those of their
 * streams. In the bodies {@code '} is a quote and {@code ~} the end of a line.
 */
class UsageTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "null",
			textBlock = """
					openai    | data: {'choices':[{'delta':{'content':'Hi'}}],'usage':null}~~data: {'choices':[],'usage':{'prompt_tokens':20,'completion_tokens':655,'total_tokens':675}}~~data: [DONE]~~ | 20 | 655
					openai    | data: {'choices':[{'delta':{'content':'Hi'}}],'usage':null}~~data: [DONE]~~ | null | null
					openai    | data: {'choices':[{'delta':{'content':'Hi'}}]}~~data: {'choices':[],'usage':{'prompt_tokens':0,'completion_tokens':0,'total_tokens':0}}~~ | null | null
					openai    | event: response.failed~data: {'type':'response.failed','response':{'usage':{'input_tokens':11,'output_tokens':4,'total_tokens':15},'error':{'code':'server_error'}}}~~ | 11 | 4
					anthropic | event: message_start~data: {'type':'message_start','message':{'usage':{'input_tokens':25,'output_tokens':1}}}~~event: ping~data: {'type':'ping'}~~event: message_delta~data: {'type':'message_delta','delta':{},'usage':{'output_tokens':15}}~~ | 25 | 15
					anthropic | data: {'type':'message_start','message':{'usage':{'input_tokens':25,'cache_read_input_tokens':100,'output_tokens':1}}}~~data: {'type':'message_delta','usage':{'input_tokens':25,'cache_read_input_tokens':100,'output_tokens':15}}~~ | 25 | 15
					anthropic | {'usage':{'input_tokens':50,'cache_read_input_tokens':200000,'cache_creation_input_tokens':0,'output_tokens':7}} | 50 | 7
					anthropic | {'usage':{'input_tokens':50,'cache_read_input_tokens':0,'cache_creation_input_tokens':30,'output_tokens':7}} | 80 | 7
					deepseek  | : keep-alive~~: keep-alive~~data: {'choices':[{'delta':{'content':'Hi'}}]}~~data: {'choices':[{'delta':{'content':''},'finish_reason':'stop'}],'usage':{'prompt_tokens':9,'completion_tokens':3,'total_tokens':12,'prompt_cache_hit_tokens':8,'prompt_cache_miss_tokens':1}}~~ | 9 | 3
					deepseek  | ~~~{'choices':[],'usage':{'prompt_tokens':9,'completion_tokens':3,'total_tokens':12}} | 9 | 3
					dashscope | {'output':{'text':'Hi','finish_reason':'stop'},'usage':{'output_tokens':3,'input_tokens':9,'total_tokens':12},'request_id':'r'} | 9 | 3
					dashscope | id:1~event:result~:HTTP_STATUS/200~data:{'output':{'text':'H'},'usage':{'input_tokens':9,'output_tokens':1,'total_tokens':10}}~~id:2~event:result~:HTTP_STATUS/200~data:{'output':{'text':'Hi'},'usage':{'input_tokens':9,'output_tokens':2,'total_tokens':11}}~~ | 9 | 2
					dashscope | data: {'choices':[{'delta':{'content':'Hi'}}],'usage':null}~~data: {'choices':[],'usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}}~~data: [DONE]~~ | 9 | 2
					qianfan   | {'id':'as-1','object':'chat.completion','result':'Hi','is_truncated':false,'usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}} | 9 | 2
					qianfan   | data: {'id':'as-1','sentence_id':0,'is_end':false,'result':'Hi','usage':{'prompt_tokens':9,'completion_tokens':0,'total_tokens':9}}~~data: {'is_end':true,'result':'','usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}}~~ | 9 | 2
					moonshot  | data: {'choices':[{'delta':{'content':'Hi'}}]}~~data: {'choices':[{'delta':{},'finish_reason':'stop','usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}}]}~~data: [DONE]~~ | 9 | 2
					zhipu     | data: {'choices':[{'delta':{'content':'Hi'}}]}~~data: {'choices':[{'finish_reason':'stop','delta':{'content':''}}],'usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}}~~data: [DONE]~~ | 9 | 2
					zhipu     | event: message_start~data: {'type':'message_start','message':{'usage':{'input_tokens':9,'output_tokens':0}}}~~event: message_delta~data: {'type':'message_delta','usage':{'output_tokens':2}}~~ | 9 | 2
					minimax   | {'choices':[{'message':{'content':'Hi'}}],'usage':{'total_tokens':11,'total_characters':0},'base_resp':{'status_code':0,'status_msg':''}} | 11 |
					minimax   | {'choices':[{'message':{'content':'Hi'}}],'usage':{'total_tokens':11,'prompt_tokens':9,'completion_tokens':2},'base_resp':{'status_code':0,'status_msg':''}} | 9 | 2
					volcengine | {'choices':[{'message':{'content':'Hi'}}],'usage':{'completion_tokens':2,'prompt_tokens':9,'total_tokens':11}} | 9 | 2
					siliconflow | {'choices':[{'message':{'content':'Hi'}}],'usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}} | 9 | 2
					hunyuan   | {'Response':{'RequestId':'r','Choices':[{'Message':{'Content':'Hi'}}],'Usage':{'PromptTokens':9,'CompletionTokens':2,'TotalTokens':11}}} | 9 | 2
					hunyuan   | data: {'Choices':[{'Delta':{'Content':'H'}}],'Usage':{'PromptTokens':9,'CompletionTokens':1,'TotalTokens':10}}~~data: {'Choices':[{'Delta':{'Content':'i'}}],'Usage':{'PromptTokens':9,'CompletionTokens':2,'TotalTokens':11}}~~ | 9 | 2
					ollama    | {'message':{'content':'H'},'done':false}~{'message':{'content':'i'},'done':false}~{'message':{'content':''},'done':true,'total_duration':5,'prompt_eval_count':9,'eval_count':2}~ | 9 | 2
					ollama    | {'response':'Hi','done':true,'eval_count':2} | 0 | 2
					ollama    | {'object':'chat.completion','usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}} | 9 | 2
					vllm      | data: {'choices':[],'usage':{'prompt_tokens':9,'completion_tokens':2,'total_tokens':11}}~~ | 9 | 2
					""")
	void reported(String dialect, String body, Long input, Long output) {
		TokenUsage expected = (output != null) ? new TokenUsage(input, output)
				: (input != null) ? TokenUsage.ofTotal(input) : null;
		for (String lineEnd : new String[] { "\n", "\r\n", "\r" }) {
			byte[] bytes = bytes(body.replace("~", lineEnd));
			for (int size = 1; size <= bytes.length; size = 2 * size + 1) {
				assertThat(read(dialect, bytes, size).usage()).as("in chunks of %d", size).isEqualTo(expected);
			}
		}
	}

	/** What was seen of an answer counts where the end of a stream was not. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					openai    | data: {'choices':[{'delta':{'content':'Twenty characters ..'}}]}~~
					anthropic | event: content_block_delta~data: {'type':'content_block_delta','delta':{'type':'text_delta','text':'Twenty characters ..'}}~~
					zhipu     | data: {'type':'content_block_delta','delta':{'type':'text_delta','text':'Twenty characters ..'}}~~
					deepseek  | data: {'choices':[{'delta':{'reasoning_content':'Twenty characters ..'}}]}~~
					moonshot  | data: {'choices':[{'delta':{'content':'Twenty characters ..'}}]}~~
					qianfan   | data: {'result':'Twenty characters ..','is_end':false}~~
					hunyuan   | data: {'Choices':[{'Delta':{'Content':'Twenty characters ..'}}]}~~
					ollama    | {'message':{'content':'Twenty characters ..'},'done':false}~
					ollama    | {'response':'Twenty characters ..','done':false}~
					""")
	void seen(String dialect, String body) {
		byte[] bytes = bytes(body.replace("~", "\n"));
		assertThat(read(dialect, bytes, 7).outputSeen()).isEqualTo(5);
	}

	/** Codes may be numbers or texts, in an object, in an array, or no object at all. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					openai-compatible | {'error':{'code':429,'message':'x'}}                     | THROTTLED  | UNKNOWN
					openai-compatible | {'error':{'code':'429','message':'x'}}                   | THROTTLED  | UNKNOWN
					openai-compatible | {'error':'Too many requests'}                            | THROTTLED  | UNKNOWN
					openai-compatible | [{'error':{'code':429,'message':'x'}}]                   | THROTTLED  | UNKNOWN
					openai-compatible | {'choices':null,'error':{'code':429,'message':'x'}}      | THROTTLED  | UNKNOWN
					zhipu             | {'error':{'code':'1302','message':'x'}}                  | THROTTLED  | CONCURRENCY
					zhipu             | {'error':{'code':1302,'message':'x'}}                    | THROTTLED  | CONCURRENCY
					qianfan           | {'error_code':336501,'error_msg':'x'}                    | THROTTLED  | REQUESTS
					qianfan           | {'error_code':'336501','error_msg':'x'}                  | THROTTLED  | REQUESTS
					minimax           | data: {'base_resp':{'status_code':1002,'status_msg':'x'}}~~ | THROTTLED | REQUESTS
					ollama            | {'message':{'content':'H'}}~{'error':'server busy, please try again'}~ | OVERLOADED | NONE
					dashscope         | event:error~data:{'code':'Throttling.RateQuota','message':'x'}~~ | THROTTLED | REQUESTS
					openai-compatible | event: error~data: {'message':'Rate limit exceeded'}~~   | THROTTLED  | UNKNOWN
					""")
	void refusalsInAnswers(String dialect, String body, CallOutcome outcome, Tripped tripped) {
		byte[] bytes = bytes(body.replace("~", "\n"));
		for (int size = 1; size <= bytes.length; size = 2 * size + 1) {
			ThrottleSignal refusal = read(dialect, bytes, size).refusal();
			assertThat(refusal).isNotNull();
			assertThat(refusal.outcome()).isEqualTo(outcome);
			assertThat(refusal.tripped()).isEqualTo(tripped);
		}
	}

	@Test
	void eventsOfOtherNamesAreNoErrors() {
		byte[] bytes = bytes("event: errors~data: {'message':'fine','code':'x'}~~event: message~data: {'message':'x'}~~"
			.replace("~", "\n"));
		assertThat(read("openai-compatible", bytes, 5).refusal()).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "openai,63800,false", "azure-openai,64000,false", "groq,64000,false", "moonshot,64000,false",
			"anthropic,600,true", "dashscope,600,true", "deepseek,600,true" })
	void chargedForAMaximumOf64000(String dialect, long output, boolean guess) {
		RequestFacts request = RequestFacts.scan(bytes("{'max_tokens':64000}"));
		assertThat(Dialects.named(dialect).estimate(request, new TokenEstimate(200, 600, true)))
			.isEqualTo(new TokenEstimate(200, output, guess));
	}

	private static UsageReader read(String dialect, byte[] bytes, int size) {
		UsageReader reader = Dialects.named(dialect).usageReader(new ResponseHead(200, (name) -> null));
		for (int from = 0; from < bytes.length; from += size) {
			reader.read(ByteBuffer.wrap(bytes, from, Math.min(size, bytes.length - from)));
		}
		return reader;
	}

	private static byte[] bytes(String text) {
		return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
	}

}
