package io.github.llmratelimit.langchain4j;

import java.nio.charset.StandardCharsets;

import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import org.jspecify.annotations.Nullable;

/**
 * One event of a stream.
 *
 * @param event the event
 * @param context by which its reader can cancel the stream, {@code null} if it cannot
 */
record StreamEvent(ServerSentEvent event, @Nullable ServerSentEventContext context) {

	/**
	 * The event as it was on the wire, or much like it.
	 * @return its bytes
	 */
	byte[] bytes() {
		String name = this.event.event();
		String data = "data: " + this.event.data().replace("\n", "\ndata: ") + "\n\n";
		return ((name != null) ? "event: " + name + "\n" + data : data).getBytes(StandardCharsets.UTF_8);
	}

	void tell(ServerSentEventListener listener) {
		if (this.context != null) {
			listener.onEvent(this.event, this.context);
		}
		else {
			listener.onEvent(this.event);
		}
	}

	/** Whether its reader wants no more. */
	boolean isLast() {
		return this.context != null && this.context.parsingHandle().isCancelled();
	}

}
