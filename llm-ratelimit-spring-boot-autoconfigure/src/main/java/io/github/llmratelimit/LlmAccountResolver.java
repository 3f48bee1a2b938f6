package io.github.llmratelimit;

import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Says which account a call belongs to, for example that of the tenant on whose behalf it
 * is made. A bean of this type is asked for every call that names neither an account nor
 * a key of the pool, on the thread that makes it. Implementations MUST be thread-safe and
 * MUST NOT block.
 */
@FunctionalInterface
public interface LlmAccountResolver {

	/**
	 * The account of a call.
	 * @param call the call
	 * @param context the Reactor context of whoever waits for it
	 * @return name of an account of the call's provider; {@code null} for the default
	 */
	@Nullable String accountOf(LlmCall call, ContextView context);

}
