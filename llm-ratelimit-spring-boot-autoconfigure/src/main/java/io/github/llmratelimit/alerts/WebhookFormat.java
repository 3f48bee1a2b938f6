package io.github.llmratelimit.alerts;

import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;

/**
 * What a webhook expects, and how it says that it did not like it.
 */
public enum WebhookFormat {

	/** All fields of the change. */
	JSON(Alert::fields, null),

	/** A text message to a bot of Feishu (Lark). */
	FEISHU((alert) -> Map.of("msg_type", "text", "content", Map.of("text", alert.text())), "code"),

	/** A text message to a robot of DingTalk. */
	DINGTALK(WebhookFormat::textMessage, "errcode"),

	/** A text message to a robot of WeCom. */
	WECOM(WebhookFormat::textMessage, "errcode"),

	/** A message to an incoming webhook of Slack. */
	SLACK((alert) -> Map.of("text", escaped(alert.text())), null);

	private static final JsonWriter<Object> WRITER = JsonWriter.standard();

	private final Function<Alert, Object> message;

	private final @Nullable Pattern error;

	WebhookFormat(Function<Alert, Object> message, @Nullable String errorField) {
		this.message = message;
		this.error = (errorField != null) ? Pattern.compile("\"" + errorField + "\"\\s*:\\s*(-?\\d+)") : null;
	}

	private static Object textMessage(Alert alert) {
		return Map.of("msgtype", "text", "text", Map.of("content", alert.text()));
	}

	private static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
	}

	String body(Alert alert) {
		return WRITER.writeToString(this.message.apply(alert));
	}

	/**
	 * Some services refuse a message with status 200 and a code of their own.
	 * @param answer the beginning of the answer
	 * @return the code, 0 if there is none
	 */
	String errorOf(String answer) {
		Matcher code = (this.error != null) ? this.error.matcher(answer) : null;
		return (code != null && code.find()) ? code.group(1) : "0";
	}

}
