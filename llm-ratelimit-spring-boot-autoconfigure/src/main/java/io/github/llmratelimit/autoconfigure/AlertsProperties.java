package io.github.llmratelimit.autoconfigure;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

import io.github.llmratelimit.alerts.WebhookFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.StringUtils;

/**
 * Where people are told of what closes. The URL is text: what cannot be converted would
 * be printed, and it is a secret.
 *
 * @param webhookUrl URL that is told, by http or https. If not set, nobody is told.
 * @param format What the webhook expects.
 */
record AlertsProperties(@Nullable String webhookUrl, @DefaultValue("json") WebhookFormat format) {

	private static final Set<String> SCHEMES = Set.of("http", "https");

	void validate(ConfigurationPropertyName path, Problems problems) {
		String flaw = StringUtils.hasText(this.webhookUrl) ? flawOf(this.webhookUrl) : null;
		if (flaw != null) {
			problems.report(path.append("webhook-url"), "******", flaw,
					"Write the whole URL as the service shows it, as in https://hooks.example.com/…, or remove it.");
		}
	}

	private static @Nullable String flawOf(String text) {
		try {
			return flawOf(URI.create(text));
		}
		catch (IllegalArgumentException ex) {
			return "is not a URL";
		}
	}

	private static @Nullable String flawOf(URI url) {
		if (url.getScheme() == null || !SCHEMES.contains(url.getScheme().toLowerCase(Locale.ROOT))) {
			return "must begin with https:// or http://";
		}
		if (url.getRawUserInfo() != null) {
			return "must not contain credentials";
		}
		return (url.getHost() == null) ? "has no host" : null;
	}

	@Override
	public String toString() {
		return "AlertsProperties[format=%s]".formatted(this.format);
	}

}
