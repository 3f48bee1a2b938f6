package io.github.llmratelimit.pipeline;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;

/**
 * What a call means that failed without a response, whatever its client.
 */
public final class SendFailure {

	private static final Set<Class<?>> BEFORE_SENDING = Set.of(ConnectException.class, UnknownHostException.class,
			UnresolvedAddressException.class, HttpConnectTimeoutException.class, SSLHandshakeException.class,
			SSLPeerUnverifiedException.class);

	/* Of libraries that need not be there. */
	private static final Set<String> BEFORE_SENDING_BY_NAME = Set.of("PoolAcquireTimeoutException",
			"PoolAcquirePendingLimitException", "PoolShutdownException", "ConnectTimeoutException",
			"SslHandshakeTimeoutException", "DnsNameResolverException", "DnsNameResolverTimeoutException",
			"ProxyConnectException");

	private static final int DEEPEST_CAUSE = 16;

	private SendFailure() {
	}

	/**
	 * What a failure means.
	 * @param failure why there was no response
	 * @return {@code NOT_SENT} if the request cannot have left this machine, because no
	 * connection was to be had (by pool, name, connect or handshake); else {@code FAILED}
	 */
	public static ThrottleSignal classify(Throwable failure) {
		return ThrottleSignal
			.of(causes(failure).anyMatch(SendFailure::isBeforeSending) ? CallOutcome.NOT_SENT : CallOutcome.FAILED);
	}

	/** Whether there is no response because the connection was lost, or none was had. */
	static boolean isOfConnection(Throwable failure) {
		return causes(failure).anyMatch((cause) -> cause instanceof IOException || cause instanceof TimeoutException);
	}

	/**
	 * A failure and what has caused it.
	 * @param failure a failure
	 * @return the failure, its cause, and so on; not without end
	 */
	public static Stream<Throwable> causes(Throwable failure) {
		return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEEPEST_CAUSE);
	}

	private static boolean isBeforeSending(Throwable cause) {
		return BEFORE_SENDING_BY_NAME.contains(cause.getClass().getSimpleName())
				|| BEFORE_SENDING.stream().anyMatch((type) -> type.isInstance(cause));
	}

}
