package io.github.llmratelimit.sample.explain;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file with responses: a JSON array of them, a single one as a JSON object, or one as
 * it was received.
 */
final class ResponseFile {

	private static final String EXPECTED = "a response as curl -i prints it, or a JSON array of responses";

	private static final String BYTE_ORDER_MARK = "\uFEFF";

	private static final JsonMapper JSON = new JsonMapper();

	private ResponseFile() {
	}

	static List<SavedResponse> read(String file) throws UnreadableFileException {
		Path path = path(file);
		return responses(path.getFileName().toString(), text(path));
	}

	private static Path path(String file) throws UnreadableFileException {
		try {
			Path path = Path.of(file).toAbsolutePath();
			if (file.isBlank() || path.getFileName() == null) {
				throw new UnreadableFileException("no file is named", "--explain=FILE with " + EXPECTED);
			}
			return path;
		}
		catch (InvalidPathException ex) {
			throw new UnreadableFileException("not a path", "a file with " + EXPECTED);
		}
	}

	private static String text(Path path) throws UnreadableFileException {
		if (Files.isDirectory(path)) {
			throw new UnreadableFileException(path + " is a directory", "a file with " + EXPECTED);
		}
		try {
			String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
			return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
		}
		catch (NoSuchFileException ex) {
			throw new UnreadableFileException(path + " does not exist", "a file with " + EXPECTED);
		}
		catch (AccessDeniedException ex) {
			throw new UnreadableFileException(path + " may not be read", "permission to read it");
		}
		catch (IOException ex) {
			throw new UnreadableFileException(path + " cannot be read: " + ex.getMessage(), "a file with " + EXPECTED);
		}
	}

	static List<SavedResponse> responses(String name, String text) throws UnreadableFileException {
		if (text.isBlank()) {
			throw new UnreadableFileException("the file is empty", EXPECTED);
		}
		JsonNode json = json(text);
		if (json != null && json.isArray() && (json.isEmpty() || anyRow(json))) {
			return rows(name, json);
		}
		return (json != null && isRow(json)) ? List.of(row(json, name)) : List.of(ReceivedResponse.read(name, text));
	}

	/** JSON that is cut off may be a body that is, but no list of responses. */
	private static @Nullable JsonNode json(String text) throws UnreadableFileException {
		try {
			return text.stripLeading().matches("(?s)[{\\[].*") ? JSON.readTree(text) : null;
		}
		catch (JacksonException ex) {
			if (text.stripLeading().startsWith("[")) {
				throw new UnreadableFileException(
						"broken JSON: " + ex.getOriginalMessage().lines().findFirst().orElse(""), EXPECTED);
			}
			return null;
		}
	}

	private static boolean anyRow(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false).anyMatch(ResponseFile::isRow);
	}

	private static boolean isRow(JsonNode json) {
		return json.has("headers") || json.has("body");
	}

	private static List<SavedResponse> rows(String name, JsonNode array) throws UnreadableFileException {
		List<SavedResponse> rows = new ArrayList<>();
		for (JsonNode json : array) {
			rows.add(row(json, name + "#" + (rows.size() + 1)));
		}
		return rows;
	}

	private static SavedResponse row(JsonNode json, String name) throws UnreadableFileException {
		String id = json.path("id").asString(name);
		int status = json.path("status").asInt(0);
		if (status == 0) {
			throw new UnreadableFileException("response " + id + " has no status", "\"status\": 429 or the like");
		}
		Map<String, String> headers = new LinkedHashMap<>();
		json.path("headers").forEachEntry((header, value) -> headers.put(header, first(value)));
		return new SavedResponse(id, json.path("provider").stringValue(null), status, headers, text(json.path("body")));
	}

	private static String first(JsonNode values) {
		return text(values.isArray() ? values.path(0) : values);
	}

	private static String text(JsonNode value) {
		return value.isValueNode() ? value.asString("") : value.toString();
	}

}
