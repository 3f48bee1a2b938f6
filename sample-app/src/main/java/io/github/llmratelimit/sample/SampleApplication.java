package io.github.llmratelimit.sample;

import io.github.llmratelimit.sample.chat.ChatApplication;
import io.github.llmratelimit.sample.demo.DemoApplication;
import io.github.llmratelimit.sample.explain.ExplainApplication;
import io.github.llmratelimit.sample.ways.WaysInApplication;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/**
 * The front door: {@code --demo} runs the comparison and ends, {@code --explain=FILE}
 * says what a response means and ends, {@code --ways-in} calls the provider in every way
 * there is and ends, anything else starts the chat application.
 */
public final class SampleApplication {

	private SampleApplication() {
	}

	public static void main(String[] args) {
		ApplicationArguments arguments = new DefaultApplicationArguments(args);
		if (arguments.containsOption("demo")) {
			System.exit(DemoApplication.run(args));
		}
		if (arguments.containsOption("explain")) {
			System.exit(ExplainApplication.run(args));
		}
		if (arguments.containsOption("ways-in")) {
			System.exit(WaysInApplication.run(args));
		}
		ChatApplication.main(args);
	}

}
