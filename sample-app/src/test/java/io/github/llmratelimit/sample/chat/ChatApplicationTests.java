package io.github.llmratelimit.sample.chat;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.sample.chat.ChatController.Piece;
import io.github.llmratelimit.sample.provider.Completion;
import io.github.llmratelimit.simulator.ProviderSimulator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.UseMainMethod;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChatApplication} end to end, against its embedded simulator.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, useMainMethod = UseMainMethod.ALWAYS)
@AutoConfigureWebTestClient
@DirtiesContext
class ChatApplicationTests {

	private static final String DEFAULT_ACCOUNT = "$.providers.openai.accounts.default";

	@Autowired
	private WebTestClient client;

	@Autowired
	private ProviderSimulator provider;

	private int acceptedBefore;

	@BeforeEach
	void prepare() {
		this.client = this.client.mutate().responseTimeout(Duration.ofSeconds(30)).build();
		this.acceptedBefore = this.provider.ledger().accepted();
	}

	@Test
	void answersMessage() {
		Completion completion = post("/chat").expectStatus()
			.isOk()
			.expectBody(Completion.class)
			.returnResult()
			.getResponseBody();
		assertThat(completion).isNotNull();
		assertThat(completion.answer()).isNotBlank();
		assertThat(completion.promptTokens()).isPositive();
		assertThat(completion.completionTokens()).isPositive();
		assertThat(callsAtProvider()).isEqualTo(1);
	}

	@Test
	void streamsAnswer() {
		List<Piece> pieces = post("/chat/stream").expectStatus()
			.isOk()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.TEXT_EVENT_STREAM)
			.returnResult(Piece.class)
			.getResponseBody()
			.collectList()
			.block(Duration.ofSeconds(30));
		assertThat(pieces).isNotEmpty().allSatisfy((piece) -> assertThat(piece.text()).isNotEmpty());
		assertThat(callsAtProvider()).isEqualTo(1);
	}

	@Test
	void showsWhatTheAccountHasUsed() {
		post("/chat").expectStatus().isOk().expectBody(Completion.class).returnResult();
		this.client.get()
			.uri("/actuator/ratelimit")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath(DEFAULT_ACCOUNT + ".state")
			.isEqualTo("OPEN")
			.jsonPath(DEFAULT_ACCOUNT + ".limits[?(@.name == 'requests-per-minute')].used")
			.value((List<Integer> used) -> assertThat(used).singleElement().satisfies(this::coversAllCalls))
			.jsonPath(DEFAULT_ACCOUNT + ".limits[?(@.name == 'tokens-per-minute')].limit")
			.isEqualTo(100_000);
	}

	@Test
	void isHealthyAndHasMetrics() {
		this.client.get()
			.uri("/actuator/health")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.llmRatelimit.status")
			.isEqualTo("UP");
		post("/chat").expectStatus().isOk().expectBody(Completion.class).returnResult();
		this.client.get().uri("/actuator/metrics/llm.ratelimit.calls").exchange().expectStatus().isOk();
	}

	@Test
	void rejectsQuestionWithoutMessage() {
		this.client.post().uri("/chat").bodyValue(Map.of()).exchange().expectStatus().isBadRequest();
		assertThat(callsAtProvider()).isZero();
	}

	private WebTestClient.ResponseSpec post(String path) {
		return this.client.post().uri(path).bodyValue(Map.of("message", "Why is the sky blue?")).exchange();
	}

	private int callsAtProvider() {
		return this.provider.ledger().accepted() - this.acceptedBefore;
	}

	// A minute may end between the calls of two tests, so only this test's own is
	// certain.
	private void coversAllCalls(int used) {
		assertThat(used).isBetween(1, this.provider.ledger().accepted());
	}

}
