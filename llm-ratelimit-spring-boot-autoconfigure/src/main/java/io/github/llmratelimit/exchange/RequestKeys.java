package io.github.llmratelimit.exchange;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.llmratelimit.LlmCall;
import io.github.llmratelimit.provider.KeyPlace;
import io.github.llmratelimit.provider.KeyRing;
import io.github.llmratelimit.provider.Provider;
import org.jspecify.annotations.Nullable;

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
	LlmCall assign(LlmCall call, LlmRequest request) {
		if (this.ring.isEmpty() || this.ring.isOverriding() || call.key() != null) {
			return call;
		}
		String own = find(request);
		if (own == null) {
			return call;
		}
		String account = this.ring.accountOf(own);
		return ((account != null) ? call.withAccount(account) : call).withKey(LlmCall.OWN_KEY);
	}

	private @Nullable String find(LlmRequest request) {
		for (KeyPlace place : this.places) {
			String key = place.appliesTo(request.url()) ? place.find(request.url(), request::header) : null;
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
	LlmRequest apply(LlmRequest request, @Nullable String id) {
		String value = (id != null) ? this.ring.valueOf(id) : null;
		if (value == null) {
			return request;
		}
		KeyPlace place = placeFor(request.url());
		return request.withKey(place.with(withoutKey(request.url()), value), headers(),
				place.isHeader() ? Map.of(place.name(), place.valueOf(value)) : Map.of());
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

	private Set<String> headers() {
		return this.places.stream()
			.filter(KeyPlace::isHeader)
			.map((place) -> place.name().toLowerCase(Locale.ROOT))
			.collect(Collectors.toUnmodifiableSet());
	}

}
