package io.github.llmratelimit.token;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class HeuristicTokenEstimatorTests {

	private final TokenEstimator estimator = new HeuristicTokenEstimator();

	/** Real counts by o200k_base. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					Please review the attached contract and list every clause that allows the supplier to raise prices without notice. | 19
					The meeting was moved to Thursday because two of the engineers are traveling; could you update the calendar and tell the client? | 24
					公司决定从下个月开始调整产品价格，请你写一封邮件通知所有客户，并说明调整的原因。 | 24
					今天天气很好，我们一起去公园散步吧。 | 13
					請根據以下資料撰寫一份市場分析報告，並提出三項具體建議。 | 24
					明日の会議の資料を準備して、関係者に共有してください。 | 18
					내일 회의 자료를 준비해서 팀원들에게 공유해 주세요. | 15
					Сегодня нужно подготовить отчёт о продажах за последний квартал. | 14
					Merci de bien vouloir vérifier l'état de la commande passée hier matin. | 14
					public static int sum(int[] values) { int total = 0; for (int value : values) { total += value; } return total; } | 32
					2026-11-30 18:12:29.123 INFO 4711 --- order 20261130-0042 done in 315 ms | 32
					Call the API with model=gpt-4o 并且把结果翻译成中文, then save it to /tmp/out.txt | 28
					""")
	void isNearTheRealCount(String text, long tokens) {
		long estimate = estimate("{\"prompt\":\"" + text + "\"}") - estimate("{}");
		assertThat(estimate).isBetween((long) (0.75 * tokens), (long) Math.ceil(1.45 * tokens));
	}

	@Test
	void countsEveryMessage() {
		long one = estimate("{\"messages\":[{\"role\":\"user\",\"content\":\"\"}]}");
		long three = estimate("""
				{"messages":[{"role":"user","content":""},{"role":"assistant","content":""},
				 {"role":"user","content":""}]}""");
		assertThat(three - one).isEqualTo(8);
	}

	@Test
	void countsToolsAndSchema() {
		assertThat(estimate(
				"""
						{"tools":[{"type":"function","function":{"name":"get_weather","description":"Look up the weather"}}]}"""))
			.isGreaterThan(15);
	}

	@Test
	void countsImagesByARule() {
		String image = "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64," + "A".repeat(500_000)
				+ "\"}}";
		assertThat(estimate("{\"messages\":[{\"role\":\"user\",\"content\":[" + image + "]}]}")).isCloseTo(1112,
				within(5L));
	}

	@Test
	void countsGivenTokens() {
		assertThat(estimate("{\"input\":[1,2,3,4,5]}")).isEqualTo(estimate("{}") + 5);
	}

	@Test
	void knowsNothingOfUnreadableRequests() {
		assertThat(this.estimator.inputTokens(RequestFacts.UNREADABLE)).isZero();
	}

	private long estimate(String body) {
		return this.estimator.inputTokens(RequestFacts.scan(body.getBytes(StandardCharsets.UTF_8)));
	}

}
