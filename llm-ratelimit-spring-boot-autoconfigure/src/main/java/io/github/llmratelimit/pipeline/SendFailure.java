package io.github.llmratelimit.pipeline;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

import io.github.llmratelimit.CallOutcome;
import io.github.llmratelimit.ThrottleSignal;
import org.jspecify.annotations.Nullable;

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
		return ThrottleSignal.of(isBeforeSending(failure) ? CallOutcome.NOT_SENT : CallOutcome.FAILED);
	}

	private static boolean isBeforeSending(Throwable failure) {
		@Nullable Throwable cause = failure;
		for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
			if (isKnown(cause)) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	private static boolean isKnown(Throwable cause) {
		return BEFORE_SENDING_BY_NAME.contains(cause.getClass().getSimpleName())
				|| BEFORE_SENDING.stream().anyMatch((type) -> type.isInstance(cause));
	}

}
