package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyRing}.
 */
class KeyRingTests {

	private static final String SECRET = "s3cr3t";

	private final KeyRing.Key key = new KeyRing.Key("a", SECRET, "team");

	private final KeyRing ring = new KeyRing(List.of(this.key), true);

	@Test
	void findsValuesByIdAndAccountsByValue() {
		assertThat(this.ring.isEmpty()).isFalse();
		assertThat(this.ring.isOverriding()).isTrue();
		assertThat(this.ring.valueOf("a")).isEqualTo(SECRET);
		assertThat(this.ring.valueOf("b")).isNull();
		assertThat(this.ring.accountOf(SECRET)).isEqualTo("team");
		assertThat(this.ring.accountOf("a")).isNull();
		assertThat(KeyRing.EMPTY.isEmpty()).isTrue();
	}

	@Test
	void showsNoValue() {
		assertThat(this.key).hasToString("Key[a, account=team]");
		assertThat(this.ring).hasToString("KeyRing[a]");
		Provider provider = new Provider("acme", DialectTable.generic(), List.of(URI.create("https://h")))
			.withKeys(this.ring);
		assertThat(provider.toString()).contains("KeyRing[a]").doesNotContain(SECRET);
		assertThat(provider.unlimited().keys()).isSameAs(this.ring);
	}

}
