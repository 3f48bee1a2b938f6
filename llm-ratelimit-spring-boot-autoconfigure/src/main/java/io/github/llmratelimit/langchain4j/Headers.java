package io.github.llmratelimit.langchain4j;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Headers as LangChain4j has them: by names in any case.
 */
final class Headers {

	private Headers() {
	}

	static @Nullable String first(Map<String, List<String>> headers, String name) {
		for (Map.Entry<String, List<String>> header : headers.entrySet()) {
			if (name.equalsIgnoreCase(header.getKey()) && !header.getValue().isEmpty()) {
				return header.getValue().get(0);
			}
		}
		return null;
	}

}
