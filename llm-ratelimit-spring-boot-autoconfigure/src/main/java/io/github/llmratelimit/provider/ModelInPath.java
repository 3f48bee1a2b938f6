package io.github.llmratelimit.provider;

import java.net.URI;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The model that a URL names, for providers whose requests name none: a deployment of
 * Azure, a model of Gemini, Vertex or Bedrock.
 */
public final class ModelInPath {

	/** What follows them is a model. */
	private static final Set<String> BEFORE_MODELS = Set.of("deployments", "models", "model");

	/** What follows them is a model, then a colon and what it is asked to do. */
	private static final String BEFORE_METHODS = "models";

	private ModelInPath() {
	}

	/**
	 * Find the model.
	 * @param url URL of a request
	 * @return its name, {@code null} if the URL names none
	 */
	public static @Nullable String of(URI url) {
		String path = url.getPath();
		int end = (path != null) ? path.length() : 0;
		int from = 0;
		String before = "";
		while (path != null && from < end) {
			int slash = path.indexOf('/', from);
			int to = (slash >= 0) ? slash : end;
			if (BEFORE_MODELS.contains(before) && to > from) {
				return model(before, path.substring(from, to));
			}
			before = path.substring(from, to);
			from = to + 1;
		}
		return null;
	}

	private static String model(String before, String name) {
		int method = before.equals(BEFORE_METHODS) ? name.lastIndexOf(':') : -1;
		return (method > 0) ? name.substring(0, method) : name;
	}

}
