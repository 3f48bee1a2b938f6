package io.github.llmratelimit.sample.chat;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Says what to try once the application listens.
 */
@Component
class Welcome {

	private static final Log logger = LogFactory.getLog(Welcome.class);

	@EventListener
	void onStart(WebServerInitializedEvent event) {
		logger.info("""
				The starter is at work on a simulated provider. Try:
				  curl -s  localhost:{port}/chat -H 'Content-Type: application/json' -d '{"message": "Hello!"}'
				  curl -sN localhost:{port}/chat/stream -H 'Content-Type: application/json' -d '{"message": "Hello!"}'
				  curl -s  localhost:{port}/actuator/ratelimit
				""".replace("{port}", Integer.toString(event.getWebServer().getPort())));
	}

}
