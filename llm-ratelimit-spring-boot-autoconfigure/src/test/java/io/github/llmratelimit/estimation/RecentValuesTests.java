package io.github.llmratelimit.estimation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RecentValuesTests {

	private final RecentValues values = new RecentValues(3);

	@Test
	void forgetsTheOldest() {
		for (int i = 1; i <= 7; i++) {
			this.values.add(i);
			assertThat(this.values.size()).isEqualTo(Math.min(i, 3));
			assertThat(this.values.quantile(1)).isEqualTo(i);
			assertThat(this.values.quantile(0.01)).isEqualTo(Math.max(1, i - 2));
		}
		assertThat(this.values.mean()).isEqualTo(6);
	}

	@ParameterizedTest
	@CsvSource({ "0.1, 1", "0.33, 1", "0.34, 2", "0.5, 2", "0.66, 2", "0.67, 5", "0.9, 5", "1, 5" })
	void quantileIsAValueThatWasThere(double share, double expected) {
		this.values.add(5);
		this.values.add(1);
		this.values.add(2);
		assertThat(this.values.quantile(share)).isEqualTo(expected);
	}

}
