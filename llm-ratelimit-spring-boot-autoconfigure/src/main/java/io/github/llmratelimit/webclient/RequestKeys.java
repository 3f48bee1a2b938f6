package io.github.llmratelimit.webclient;

import java.net.URI;
import java.util.List;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.provider.KeyPlace;
import io.github.llmratelimit.provider.KeyRing;
import io.github.llmratelimit.provider.Provider;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;

/**
 * The keys that requests to one provider bring, or are given.
 */
final class RequestKeys {

	private final KeyRing ring;

	private final List<KeyPlace> places;

	RequestKeys(Provider provider) {
		this.ring = provider.keys();
		this.places = provider.dialect().keyPlaces();
	}

	/**
	 * A call that knows whether its request has a key of its own, and whose that is.
	 * @param call the call, as far as it is known
	 * @param request its request
	 * @return the call; the same if a pooled key will take the place of its own
	 */
	LlmCall assign(LlmCall call, EncodedRequest request) {
		if (this.ring.isEmpty() || this.ring.isOverriding() || call.key() != null) {
			return call;
		}
		String own = find(request.url(), request.headers());
		if (own == null) {
			return call;
		}
		String account = this.ring.accountOf(own);
		return ((account != null) ? call.withAccount(account) : call).withKey(LlmCall.OWN_KEY);
	}

	private @Nullable String find(URI url, HttpHeaders headers) {
		for (KeyPlace place : this.places) {
			String key = place.appliesTo(url) ? place.find(url, headers::getFirst) : null;
			if (key != null) {
				return key;
			}
		}
		return null;
	}

	/**
	 * A request with a pooled key.
	 * @param request the request
	 * @param id id of the key, {@code null} if the request is to be sent as it is
	 * @return the request with this key alone
	 */
	ClientRequest apply(ClientRequest request, @Nullable String id) {
		String value = (id != null) ? this.ring.valueOf(id) : null;
		if (value == null) {
			return request;
		}
		KeyPlace place = placeFor(request.url());
		return ClientRequest.from(request)
			.url(place.with(withoutKey(request.url()), value))
			.headers((headers) -> replaceKey(headers, place, value))
			.build();
	}

	private KeyPlace placeFor(URI url) {
		for (KeyPlace place : this.places) {
			if (place.appliesTo(url)) {
				return place;
			}
		}
		throw new IllegalStateException("key places: " + this.places + " (expected: one that always applies)");
	}

	private URI withoutKey(URI url) {
		URI without = url;
		for (KeyPlace place : this.places) {
			without = place.without(without);
		}
		return without;
	}

	private void replaceKey(HttpHeaders headers, KeyPlace place, String value) {
		this.places.stream().filter(KeyPlace::isHeader).map(KeyPlace::name).forEach(headers::remove);
		if (place.isHeader()) {
			headers.set(place.name(), place.valueOf(value));
		}
	}

}
