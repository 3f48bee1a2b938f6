package io.github.llmratelimit.webclient;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.Permit;
import io.github.llmratelimit.ThrottleSignal;
import io.github.llmratelimit.TokenUsage;
import io.github.llmratelimit.pipeline.LlmCallPipeline;
import io.github.llmratelimit.pipeline.PassingSubscriber;
import io.github.llmratelimit.provider.UsageReader;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;

import org.springframework.core.io.buffer.DataBuffer;

/**
 * Reads a response body as it streams by and ends the permit with it: before the
 * subscriber learns of the end, so that whoever waits for the response finds its usage
 * settled. Confined to one response, whose signals come one after another.
 */
final class ResponseTap {

	private final Permit permit;

	private final UsageReader reader;

	private final LlmCallPipeline pipeline;

	private final UnreadBodies unread;

	ResponseTap(Permit permit, UsageReader reader, LlmCallPipeline pipeline, UnreadBodies unread) {
		this.permit = permit;
		this.reader = reader;
		this.pipeline = pipeline;
		this.unread = unread;
		unread.add(permit);
	}

	/*
	 * One operator instead of a chain of peeks: a fused chain need not tell of the end,
	 * and every response would pay for each link.
	 */
	Flux<DataBuffer> apply(Flux<DataBuffer> body) {
		return new FluxOperator<DataBuffer, DataBuffer>(body) {

			@Override
			public void subscribe(CoreSubscriber<? super DataBuffer> actual) {
				ResponseTap.this.unread.remove(ResponseTap.this.permit);
				this.source.subscribe(new TapSubscriber(actual));
			}

		};
	}

	private void read(DataBuffer buffer) {
		try (DataBuffer.ByteBufferIterator chunks = buffer.readableByteBuffers()) {
			while (chunks.hasNext()) {
				this.reader.read(chunks.next());
			}
		}
	}

	private void cancel() {
		TokenUsage reported = this.reader.usage();
		end(CallOutcome.CANCELLED, (reported != null) ? reported
				: new TokenUsage(this.permit.call().tokens().input(), this.reader.outputSeen()));
	}

	private void end(CallOutcome outcome, @Nullable TokenUsage usage) {
		ThrottleSignal refusal = this.reader.refusal();
		if (refusal != null) {
			this.pipeline.refuse(this.permit, refusal, this.reader.usage());
		}
		else {
			this.permit.complete(outcome, usage);
		}
	}

	private final class TapSubscriber extends PassingSubscriber<DataBuffer, DataBuffer> {

		TapSubscriber(CoreSubscriber<? super DataBuffer> actual) {
			super(actual);
		}

		@Override
		public void onNext(DataBuffer buffer) {
			read(buffer);
			actual().onNext(buffer);
		}

		@Override
		public void onComplete() {
			end(CallOutcome.SUCCESS, ResponseTap.this.reader.usage());
			super.onComplete();
		}

		@Override
		public void onError(Throwable failure) {
			end(CallOutcome.FAILED, ResponseTap.this.reader.usage());
			super.onError(failure);
		}

		@Override
		public void cancel() {
			ResponseTap.this.cancel();
			super.cancel();
		}

	}

}
