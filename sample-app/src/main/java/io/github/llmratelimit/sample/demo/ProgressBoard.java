package io.github.llmratelimit.sample.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * Shows how far the strategies have come until it is closed: bars that move on a
 * terminal, lines now and then elsewhere. Thread-safe.
 */
final class ProgressBoard implements AutoCloseable {

	private static final Duration ON_TERMINAL = Duration.ofMillis(200);

	private static final Duration ELSEWHERE = Duration.ofSeconds(2);

	private static final String END_OF_LINE = "\033[K";

	private static final String LINES_UP = "\r\033[%dA";

	private final PrintStream out;

	private final boolean terminal;

	private final List<Contender> contenders;

	private final Disposable ticking;

	private boolean drawn;

	ProgressBoard(PrintStream out, boolean terminal, List<Contender> contenders) {
		this.out = out;
		this.terminal = terminal;
		this.contenders = contenders;
		this.ticking = Flux.interval(terminal ? ON_TERMINAL : ELSEWHERE)
			.onBackpressureDrop()
			.subscribe((tick) -> draw());
	}

	private synchronized void draw() {
		if (this.terminal && this.drawn) {
			this.out.printf(LINES_UP, this.contenders.size());
		}
		this.contenders.forEach(this::draw);
		this.drawn = true;
	}

	private void draw(Contender contender) {
		this.out.println(contender.progress().bar() + (this.terminal ? END_OF_LINE : ""));
	}

	/** Shows how it ended. */
	@Override
	public void close() {
		this.ticking.dispose();
		draw();
	}

}
