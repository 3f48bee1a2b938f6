package io.github.llmratelimit.admission;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.llmratelimit.testing.Interleavings;
import io.github.llmratelimit.testing.RaceTestUtils.Race;
import io.github.llmratelimit.testing.SteppedClasses;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Races of the admission in every order of their steps. What no order of steps shows,
 * because a processor reorders what it may, is left to {@link AdmissionRaceTests}.
 */
@Tag("race")
class InterleavingTests {

	@SuppressWarnings("unchecked")
	static Stream<Named<Supplier<Race>>> races() throws ReflectiveOperationException {
		Class<?> stepped = new SteppedClasses(Scenarios.class).loadClass(Scenarios.class.getName());
		Constructor<?> constructor = stepped.getDeclaredConstructor();
		constructor.setAccessible(true);
		return Arrays.stream(stepped.getDeclaredMethods())
			.filter((method) -> method.getReturnType() == Race.class && method.getParameterCount() == 0)
			.peek((method) -> method.setAccessible(true))
			.map((method) -> Named.of(method.getName(), () -> {
				try {
					return (Race) method.invoke(constructor.newInstance());
				}
				catch (ReflectiveOperationException ex) {
					throw new IllegalStateException(ex);
				}
			}));
	}

	@ParameterizedTest
	@MethodSource("races")
	void losesNothingInAnyOrder(Supplier<Race> race) {
		int orders = Interleavings.explore(race);
		assertThat(orders).isGreaterThan(50);
	}

}
