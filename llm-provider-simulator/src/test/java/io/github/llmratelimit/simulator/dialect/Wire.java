package io.github.llmratelimit.simulator.dialect;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.llmratelimit.simulator.dialect.Refusal.Cause;

/**
 * Requests and refusals for the tests of dialects. JSON is written with single quotes.
 */
final class Wire {

	static final Instant NOW = Instant.parse("2026-08-21T12:40:00.250Z");

	static final long SECOND = 1_000_000_000;

	static final Levels LEVELS = new Levels(new Levels.Level(60, 59, SECOND),
			new Levels.Level(150_000, 149_984, 1_200_000_000));

	private Wire() {
	}

	static Conversation open(SimulatedDialect dialect, String uri, String body) {
		return open(dialect, uri, Map.of(), body);
	}

	static Conversation open(SimulatedDialect dialect, String uri, Map<String, String> headers, String body) {
		String[] pathAndQuery = (uri + "?").split("\\?", 3);
		return dialect.open(new WireRequest("POST", pathAndQuery[0], pathAndQuery[1], headers::get,
				json(body).getBytes(StandardCharsets.UTF_8)));
	}

	static String json(String quoted) {
		return quoted.replace('\'', '"');
	}

	static String refusal(Conversation conversation, Cause cause, long waitNanos) {
		Problem problem = conversation.refusal(new Refusal(cause, waitNanos, 30_000, 29_000, 2000, LEVELS));
		return problem.status() + " " + problem.body();
	}

	/** The pieces of an answer with 9 tokens, the first after admission number 7. */
	static List<String> events(Conversation conversation) {
		return conversation.events(7, 9, NOW).stream().map(StreamEvent::text).toList();
	}

	static List<Integer> written(Conversation conversation) {
		return conversation.events(7, 9, NOW).stream().map(StreamEvent::written).toList();
	}

	static String answer(Conversation conversation) {
		return conversation.answer(7, 9, NOW).toString();
	}

}
