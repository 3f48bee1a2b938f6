package io.github.llmratelimit.autoconfigure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Spring Boot finds by name must exist, and must be found.
 */
class AutoConfigurationsTests {

	private static final String PACKAGE = LlmRateLimitAutoConfiguration.class.getPackageName();

	@Test
	void areAllImported() throws IOException {
		List<String> imported = new ArrayList<>();
		ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()).forEach(imported::add);
		assertThat(imported).filteredOn((name) -> name.startsWith(PACKAGE))
			.isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(autoConfigurations());
	}

	@Test
	void nameOnlyClassesThatExist() throws Exception {
		List<String> names = new ArrayList<>();
		for (String autoConfiguration : autoConfigurations()) {
			AutoConfiguration annotation = Class.forName(autoConfiguration).getAnnotation(AutoConfiguration.class);
			names.addAll(List.of(annotation.afterName()));
			names.addAll(List.of(annotation.beforeName()));
		}
		assertThat(names).isNotEmpty().allSatisfy((name) -> assertThat(ClassUtils.isPresent(name, null)).isTrue());
	}

	private static List<String> autoConfigurations() throws IOException {
		String pattern = "classpath*:" + ClassUtils.convertClassNameToResourcePath(PACKAGE)
				+ "/*AutoConfiguration.class";
		return Arrays.stream(new PathMatchingResourcePatternResolver().getResources(pattern))
			.map((resource) -> PACKAGE + "." + resource.getFilename().replace(".class", ""))
			.toList();
	}

}
