package io.github.llmratelimit.alerts;

import java.time.Duration;
import java.time.Instant;

import io.github.llmratelimit.LevelChange;
import io.github.llmratelimit.LevelSnapshot.State;
import io.github.llmratelimit.LimitScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WebhookFormat} and {@link Alert}.
 */
class WebhookFormatTests {

	private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.006789Z");

	private static final LevelChange CLOSED = new LevelChange(new LimitScope("acme", "default", "small"), State.PAUSED,
			"slow \"down\" <now> & \u7a0d\u5019", Duration.ofMinutes(10), 20, true);

	private static final LevelChange OPEN = new LevelChange(new LimitScope("acme", "team-b", "*"), State.OPEN, null,
			null, 0, false);

	@Test
	void namesFieldsAsTheEndpointDoes() {
		assertThat(json(WebhookFormat.JSON, new Alert(CLOSED, "shop", NOW))).isEqualTo(parse("""
				{"timestamp": "2026-01-02T03:04:05.006Z", "application": "shop", "provider": "acme",
				 "account": "default", "model": "small", "key": null, "state": "PAUSED",
				 "cause": "slow \\"down\\" <now> & \u7a0d\u5019", "coolingDownUntil": "2026-01-02T03:14:05.006Z",
				 "consecutiveThrottles": 20, "alert": true}"""));
	}

	@Test
	void keepsFieldsThatAreUnknown() {
		assertThat(json(WebhookFormat.JSON, new Alert(OPEN, null, NOW))).isEqualTo(
				parse("""
						{"timestamp": "2026-01-02T03:04:05.006Z", "application": null, "provider": "acme",
						 "account": "team-b", "model": "*", "key": null, "state": "OPEN", "cause": null, "coolingDownUntil": null,
						 "consecutiveThrottles": 0, "alert": false}"""));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			FEISHU   | {"msg_type": "text", "content": {"text": "TEXT"}}
			DINGTALK | {"msgtype": "text", "text": {"content": "TEXT"}}
			WECOM    | {"msgtype": "text", "text": {"content": "TEXT"}}
			SLACK    | {"text": "TEXT"}
			""")
	void wrapsTextAsServiceExpects(WebhookFormat format, String expected) {
		Alert alert = new Alert(OPEN, "shop", NOW);
		assertThat(json(format, alert)).isEqualTo(parse(expected.replace("TEXT", alert.text())));
	}

	@Test
	void tellsPeopleWhatIsClosed() {
		assertThat(new Alert(CLOSED, "shop", NOW).text())
			.isEqualTo("LLM rate limit: acme (account default, models small) of shop is PAUSED"
					+ " until 2026-01-02T03:14:05.006Z, refusals in a row: 20, cause: slow \"down\" <now> & \u7a0d\u5019");
	}

	@Test
	void tellsPeopleWhatIsOpenAgain() {
		assertThat(new Alert(OPEN, null, NOW).text()).isEqualTo("LLM rate limit: acme (account team-b) is OPEN again");
	}

	@Test
	void tellsPeopleOfAKey() {
		LevelChange change = new LevelChange(OPEN.scope(), "a", State.OUT_OF_SERVICE, "key rejected", null, 0, true);
		assertThat(new Alert(change, null, NOW).text())
			.isEqualTo("LLM rate limit: acme (account team-b, key a) is OUT_OF_SERVICE, cause: key rejected");
	}

	@Test
	void leavesOutWhatIsUnknown() {
		LevelChange change = new LevelChange(OPEN.scope(), State.OUT_OF_SERVICE, null, null, 0, true);
		assertThat(new Alert(change, null, NOW).text())
			.isEqualTo("LLM rate limit: acme (account team-b) is OUT_OF_SERVICE");
	}

	@Test
	void escapesWhatSlackTakesForMarkup() {
		assertThat(json(WebhookFormat.SLACK, new Alert(CLOSED, null, NOW)).get("text").asString())
			.endsWith("slow \"down\" &lt;now&gt; &amp; \u7a0d\u5019");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			FEISHU   | {"StatusCode":0,"StatusMessage":"success","code":0,"msg":"success"} | 0
			FEISHU   | {"code": 19024, "msg": "Key Words Not Found", "data": {}}           | 19024
			DINGTALK | {"errcode":0,"errmsg":"ok"}                                         | 0
			DINGTALK | {"errcode":310000,"errmsg":"keywords not in content"}               | 310000
			WECOM    | {"errcode":93000,"errmsg":"invalid webhook url"}                    | 93000
			WECOM    | {"errcode":-1,"errmsg":"system busy"}                               | -1
			DINGTALK | no json                                                             | 0
			""")
	void findsCodeOfRefusedMessage(WebhookFormat format, String answer, String code) {
		assertThat(format.errorOf(answer)).isEqualTo(code);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.INCLUDE, names = { "JSON", "SLACK" })
	void looksForNoCodeWhereStatusSaysIt(WebhookFormat format) {
		assertThat(format.errorOf("{\"code\": 1, \"errcode\": 1}")).isEqualTo("0");
	}

	private static JsonNode json(WebhookFormat format, Alert alert) {
		return parse(format.body(alert));
	}

	private static JsonNode parse(String json) {
		return JsonMapper.shared().readTree(json);
	}

}
