package io.github.llmratelimit.simulator.dialect;

import tools.jackson.databind.JsonNode;

/**
 * An error as it goes over the wire. Immutable.
 *
 * @param status HTTP status, which is 200 at some providers
 * @param body the error as JSON
 */
public record Problem(int status, JsonNode body) {

}
