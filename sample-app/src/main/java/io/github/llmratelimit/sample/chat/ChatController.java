package io.github.llmratelimit.sample.chat;

import io.github.llmratelimit.sample.provider.ChatClient;
import io.github.llmratelimit.sample.provider.Completion;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Passes messages on to the provider. There is no code for rate limits here.
 */
@RestController
class ChatController {

	private static final int MAX_TOKENS = 500;

	private final ChatClient client;

	ChatController(ChatClient client) {
		this.client = client;
	}

	@PostMapping("/chat")
	Mono<Completion> chat(@RequestBody Question question) {
		return this.client.complete(question.text(), MAX_TOKENS);
	}

	@PostMapping(path = "/chat/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<Piece> stream(@RequestBody Question question) {
		return this.client.stream(question.text(), MAX_TOKENS).map(Piece::new);
	}

	record Question(@Nullable String message) {

		String text() {
			if (this.message == null || this.message.isBlank()) {
				throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "message is missing");
			}
			return this.message;
		}

	}

	record Piece(String text) {
	}

}
