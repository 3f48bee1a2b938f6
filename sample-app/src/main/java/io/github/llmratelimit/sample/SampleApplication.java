package io.github.llmratelimit.sample;

import io.github.llmratelimit.sample.chat.ChatApplication;
import io.github.llmratelimit.sample.demo.DemoApplication;

import org.springframework.boot.DefaultApplicationArguments;

/**
 * The front door: {@code --demo} runs the comparison and ends, anything else starts the
 * chat application.
 */
public final class SampleApplication {

	private SampleApplication() {
	}

	public static void main(String[] args) {
		if (new DefaultApplicationArguments(args).containsOption("demo")) {
			System.exit(DemoApplication.run(args));
		}
		ChatApplication.main(args);
	}

}
