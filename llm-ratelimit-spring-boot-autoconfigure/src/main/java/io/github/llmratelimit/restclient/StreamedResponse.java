package io.github.llmratelimit.restclient;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

import io.github.llmratelimit.provider.ResponseHead;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.StreamUtils;

/**
 * A response whose body may be another than came with it. Confined to one call.
 *
 * @param getStatusCode its status
 * @param getStatusText the text of its status
 * @param getHeaders its headers
 * @param getBody its body
 * @param connection frees the connection on which it came
 */
record StreamedResponse(HttpStatusCode getStatusCode, String getStatusText, HttpHeaders getHeaders, InputStream getBody,
		Runnable connection) implements ClientHttpResponse {

	static StreamedResponse of(ClientHttpResponse response) throws IOException {
		return new StreamedResponse(response.getStatusCode(), response.getStatusText(), response.getHeaders(),
				response.getBody(), response::close);
	}

	static StreamedResponse of(int status, String contentType, byte[] body) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.CONTENT_TYPE, contentType);
		headers.setContentLength(body.length);
		return new StreamedResponse(HttpStatusCode.valueOf(status), "", headers, new ByteArrayInputStream(body), () -> {
		});
	}

	ResponseHead head() {
		return new ResponseHead(this.getStatusCode.value(), this.getHeaders::getFirst);
	}

	StreamedResponse with(InputStream body) {
		return new StreamedResponse(this.getStatusCode, this.getStatusText, this.getHeaders, body, this.connection);
	}

	StreamedResponse with(String header, String value) {
		HttpHeaders headers = new HttpHeaders();
		headers.putAll(this.getHeaders);
		headers.set(header, value);
		return new StreamedResponse(this.getStatusCode, this.getStatusText, headers, this.getBody, this.connection);
	}

	/*
	 * What is left of an answer has been paid for and is on its way: read to the end, as
	 * Spring's own responses are, it tells the usage. A stream of events would only be
	 * written for nobody.
	 */
	@Override
	public void close() {
		try (InputStream body = this.getBody) {
			if (!head().isEventStream()) {
				StreamUtils.drain(body);
			}
		}
		catch (IOException ex) {
			// Whoever closes a response no longer wants to know.
		}
		finally {
			this.connection.run();
		}
	}

}
