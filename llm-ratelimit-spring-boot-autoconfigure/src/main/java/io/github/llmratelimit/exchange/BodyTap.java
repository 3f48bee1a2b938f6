package io.github.llmratelimit.exchange;

import java.nio.ByteBuffer;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.provider.UsageReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a response body as it streams by and ends the permit with it: before the reader
 * learns of the end, so that whoever waits for the response finds its usage settled.
 * Confined to one response, whose signals come one after another; only the first end
 * counts.
 */
public final class BodyTap {

	private final Permit permit;

	private final UsageReader reader;

	private final LlmCallPipeline pipeline;

	private final UnreadBodies unread;

	private boolean begun;

	private boolean ended;

	BodyTap(Permit permit, UsageReader reader, LlmCallPipeline pipeline, UnreadBodies unread) {
		this.permit = permit;
		this.reader = reader;
		this.pipeline = pipeline;
		this.unread = unread;
		unread.add(permit);
	}

	/** Somebody begins to read the body. */
	public void begin() {
		if (!this.begun) {
			this.begun = true;
			this.unread.remove(this.permit);
		}
	}

	/**
	 * A chunk of the body.
	 * @param chunk the bytes between its position and its limit; left as it is
	 */
	public void read(ByteBuffer chunk) {
		this.reader.read(chunk);
	}

	/** The body has ended. */
	public void complete() {
		end(CallOutcome.SUCCESS, this.reader.usage());
	}

	/** The body has broken off. */
	public void fail() {
		end(CallOutcome.FAILED, this.reader.usage());
	}

	/** Nobody wants the rest, and the provider learns of it. */
	public void cancel() {
		TokenUsage reported = this.reader.usage();
		end(CallOutcome.CANCELLED, (reported != null) ? reported
				: new TokenUsage(this.permit.call().tokens().input(), this.reader.outputSeen()));
	}

	private void end(CallOutcome outcome, @Nullable TokenUsage usage) {
		if (this.ended) {
			return;
		}
		this.ended = true;
		ThrottleSignal refusal = this.reader.refusal();
		if (refusal != null) {
			this.pipeline.refuse(this.permit, refusal, this.reader.usage());
		}
		else {
			this.permit.complete(outcome, usage);
		}
	}

}
