package io.github.llmratelimit.simulator;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.github.llmratelimit.simulator.dialect.Call;
import io.github.llmratelimit.simulator.dialect.SimulatedDialect;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated provider allows, how it refuses and how fast it answers. Immutable;
 * {@link Builder} tells the meaning, unit and default of every option.
 */
public record SimulatorOptions(SimulatedDialect dialect, @Nullable Integer requestsPerMinute,
		@Nullable Long tokensPerMinute, @Nullable Long inputTokensPerMinute, @Nullable Long outputTokensPerMinute,
		@Nullable Integer maxConcurrency, Duration minute, int slices, TokenAlgorithm tokenAlgorithm, Charging charging,
		boolean settles, Scope scope, Map<String, String> accounts, Set<String> revokedKeys, boolean refusedCount,
		@Nullable Integer refusalStatus, Headers headers, Delay latency, Delay networkDelay, OutputTokens outputTokens,
		Duration chunkInterval, UsedBefore usedBefore, @Nullable Ban ban, @Nullable Failures failures, long seed) {

	/** How tokens per minute are enforced. */
	public enum TokenAlgorithm {

		/**
		 * A bucket that holds one minute's tokens, starts full and refills all the time.
		 */
		BUCKET,

		/** A sliding window over the last minute. */
		ROLLING

	}

	/** How many tokens a call is charged when it is admitted. */
	public enum Charging {

		/** Its prompt and the output it is going to produce. */
		ACTUAL,

		/** The larger of its prompt and its {@code max_tokens}. */
		MAX_TOKENS,

		/** Its prompt and its {@code max_tokens}. */
		PROMPT_PLUS_MAX;

		long of(Call call, int outputTokens) {
			Integer limit = call.maxTokens();
			int max = (limit != null) ? limit : 0;
			return switch (this) {
				case ACTUAL -> call.promptTokens() + outputTokens;
				case MAX_TOKENS -> Math.max(call.promptTokens(), max);
				case PROMPT_PLUS_MAX -> call.promptTokens() + max;
			};
		}

	}

	/** Whose calls share the limits. */
	public enum Scope {

		/** Each key has limits of its own. */
		PER_KEY,

		/** All keys of an account share its limits. */
		PER_ACCOUNT

	}

	/** Which rate-limit headers a response carries. */
	public enum Headers {

		/**
		 * All that the dialect has: at OpenAI {@code x-ratelimit-*} on every response to
		 * a metered call, {@code retry-after} and {@code retry-after-ms} on refusals.
		 */
		DIALECT,

		/** Only {@code retry-after} in whole seconds, on refusals. */
		RETRY_AFTER,

		/** None. */
		NONE

	}

	/**
	 * What others have already used of each account's first minute.
	 *
	 * @param requests number of calls
	 * @param tokens number of tokens
	 */
	public record UsedBefore(int requests, long tokens) {
	}

	/**
	 * When and for how long an account is banned.
	 *
	 * @param violations how many refusals bring the ban
	 * @param window within which time
	 * @param length how long everything is refused then
	 */
	public record Ban(int violations, Duration window, Duration length) {

		public Ban {
			requirePositive("ban violations", violations);
		}

	}

	/**
	 * Which admitted calls fail.
	 *
	 * @param every every how-manieth admitted call
	 * @param status the HTTP status it is answered with
	 */
	public record Failures(int every, int status) {

		public Failures {
			requirePositive("failEvery", every);
		}

	}

	public SimulatorOptions {
		requirePositive("requestsPerMinute", requestsPerMinute);
		requirePositive("tokensPerMinute", tokensPerMinute);
		requirePositive("inputTokensPerMinute", inputTokensPerMinute);
		requirePositive("outputTokensPerMinute", outputTokensPerMinute);
		requirePositive("maxConcurrency", maxConcurrency);
		requirePositive("minute", minute.toNanos());
		requirePositive("slices", slices);
		requireCountable("tokensPerMinute", tokensPerMinute, minute);
		requireCountable("inputTokensPerMinute", inputTokensPerMinute, minute);
		requireCountable("outputTokensPerMinute", outputTokensPerMinute, minute);
		accounts = Map.copyOf(accounts);
		revokedKeys = Set.copyOf(revokedKeys);
	}

	private static void requirePositive(String name, @Nullable Number value) {
		if (value != null && value.longValue() <= 0) {
			throw new IllegalArgumentException("%s: %s (expected: > 0)".formatted(name, value));
		}
	}

	// The bucket counts in tokens × nanoseconds of a minute, where a long must not
	// overflow.
	private static void requireCountable(String name, @Nullable Long tokensPerMinute, Duration minute) {
		long most = Long.MAX_VALUE / 4 / minute.toNanos();
		if (tokensPerMinute != null && tokensPerMinute > most) {
			throw new IllegalArgumentException("%s: %s (expected: <= %d)".formatted(name, tokensPerMinute, most));
		}
	}

	/** A builder with every option at its default. */
	public static Builder builder() {
		return new Builder();
	}

	/** A builder with these options. */
	public Builder toBuilder() {
		return new Builder(this);
	}

	String accountOf(String key) {
		return switch (this.scope) {
			case PER_KEY -> key;
			case PER_ACCOUNT -> this.accounts.getOrDefault(key, "default");
		};
	}

	/**
	 * Collects options. Not thread-safe.
	 */
	public static final class Builder {

		private SimulatedDialect dialect = SimulatedDialect.OPENAI;

		private @Nullable Integer requestsPerMinute;

		private @Nullable Long tokensPerMinute;

		private @Nullable Long inputTokensPerMinute;

		private @Nullable Long outputTokensPerMinute;

		private @Nullable Integer maxConcurrency;

		private Duration minute = Duration.ofMinutes(1);

		private int slices = 1;

		private TokenAlgorithm tokenAlgorithm = TokenAlgorithm.BUCKET;

		private Charging charging = Charging.MAX_TOKENS;

		private boolean settles;

		private Scope scope = Scope.PER_ACCOUNT;

		private final Map<String, String> accounts = new HashMap<>();

		private final Set<String> revokedKeys = new HashSet<>();

		private boolean refusedCount;

		private @Nullable Integer refusalStatus;

		private Headers headers = Headers.DIALECT;

		private Delay latency = Delay.none();

		private Delay networkDelay = Delay.none();

		private OutputTokens outputTokens = OutputTokens.fixed(20);

		private Duration chunkInterval = Duration.ZERO;

		private UsedBefore usedBefore = new UsedBefore(0, 0);

		private @Nullable Ban ban;

		private @Nullable Failures failures;

		private long seed;

		private Builder() {
		}

		private Builder(SimulatorOptions options) {
			this.dialect = options.dialect;
			this.requestsPerMinute = options.requestsPerMinute;
			this.tokensPerMinute = options.tokensPerMinute;
			this.inputTokensPerMinute = options.inputTokensPerMinute;
			this.outputTokensPerMinute = options.outputTokensPerMinute;
			this.maxConcurrency = options.maxConcurrency;
			this.minute = options.minute;
			this.slices = options.slices;
			this.tokenAlgorithm = options.tokenAlgorithm;
			this.charging = options.charging;
			this.settles = options.settles;
			this.scope = options.scope;
			this.accounts.putAll(options.accounts);
			this.revokedKeys.addAll(options.revokedKeys);
			this.refusedCount = options.refusedCount;
			this.refusalStatus = options.refusalStatus;
			this.headers = options.headers;
			this.latency = options.latency;
			this.networkDelay = options.networkDelay;
			this.outputTokens = options.outputTokens;
			this.chunkInterval = options.chunkInterval;
			this.usedBefore = options.usedBefore;
			this.ban = options.ban;
			this.failures = options.failures;
			this.seed = options.seed;
		}

		/** Whose API it speaks. Default: OpenAI's. */
		public Builder dialect(SimulatedDialect dialect) {
			this.dialect = dialect;
			return this;
		}

		/** Calls per minute, counted as they arrive. Default: unlimited. */
		public Builder requestsPerMinute(int requests) {
			this.requestsPerMinute = requests;
			return this;
		}

		/** Tokens per minute, charged as calls arrive. Default: unlimited. */
		public Builder tokensPerMinute(long tokens) {
			this.tokensPerMinute = tokens;
			return this;
		}

		/**
		 * Input tokens per minute: a call is charged its prompt as it arrives. Default:
		 * unlimited.
		 */
		public Builder inputTokensPerMinute(long tokens) {
			this.inputTokensPerMinute = tokens;
			return this;
		}

		/**
		 * Output tokens per minute: a call is charged what it wrote when it ends, and
		 * refused when it arrives while nothing is left; {@code max_tokens} does not
		 * count. Default: unlimited.
		 */
		public Builder outputTokensPerMinute(long tokens) {
			this.outputTokensPerMinute = tokens;
			return this;
		}

		/** Calls in progress at one time. Default: unlimited. */
		public Builder maxConcurrency(int calls) {
			this.maxConcurrency = calls;
			return this;
		}

		/** Length of the provider's "minute". Default: 60 s; less makes demos short. */
		public Builder minute(Duration length) {
			this.minute = length;
			return this;
		}

		/**
		 * Enforces the request limit over shorter windows too: a sliding window of minute
		 * ÷ slices admits requests ÷ slices calls, at least one. Default: 1, the whole
		 * minute only.
		 */
		public Builder slices(int slices) {
			this.slices = slices;
			return this;
		}

		/** How tokens per minute are enforced. Default: a bucket. */
		public Builder tokenAlgorithm(TokenAlgorithm algorithm) {
			this.tokenAlgorithm = algorithm;
			return this;
		}

		/**
		 * What a call is charged at admission; an absent {@code max_tokens} counts as
		 * nothing. Default: the larger of prompt and {@code max_tokens}.
		 */
		public Builder charging(Charging charging) {
			this.charging = charging;
			return this;
		}

		/**
		 * Whether the charge is corrected to prompt + output when a call ends. Default:
		 * no.
		 */
		public Builder settles(boolean settles) {
			this.settles = settles;
			return this;
		}

		/** Whose calls share the limits. Default: all keys of an account. */
		public Builder scope(Scope scope) {
			this.scope = scope;
			return this;
		}

		/** The account a key belongs to. Default: all keys belong to one account. */
		public Builder account(String key, String account) {
			this.accounts.put(key, account);
			return this;
		}

		/** A key that is not accepted any more. Default: all keys are accepted. */
		public Builder revokeKey(String key) {
			this.revokedKeys.add(key);
			return this;
		}

		/** Accepts a key again. */
		public Builder restoreKey(String key) {
			this.revokedKeys.remove(key);
			return this;
		}

		/** Whether refused calls spend requests per minute. Default: no. */
		public Builder refusedCount(boolean count) {
			this.refusedCount = count;
			return this;
		}

		/** HTTP status of a refusal. Default: the dialect's, mostly 429. */
		public Builder refusalStatus(int status) {
			this.refusalStatus = status;
			return this;
		}

		/** Which rate-limit headers responses carry. Default: all the dialect has. */
		public Builder headers(Headers headers) {
			this.headers = headers;
			return this;
		}

		/** Time from a call's admission to its response headers. Default: none. */
		public Builder latency(Delay latency) {
			this.latency = latency;
			return this;
		}

		/**
		 * One-way delay between client and provider, drawn for each direction of each
		 * call. Default: none.
		 */
		public Builder networkDelay(Delay delay) {
			this.networkDelay = delay;
			return this;
		}

		/**
		 * How much the model writes, unless {@code max_tokens} is less. Default: 20
		 * tokens.
		 */
		public Builder outputTokens(OutputTokens outputTokens) {
			this.outputTokens = outputTokens;
			return this;
		}

		/** Time before each event of a streamed answer. Default: 0, all at once. */
		public Builder chunkInterval(Duration interval) {
			this.chunkInterval = interval;
			return this;
		}

		/**
		 * Lets another process have used that much of each account's first minute, all of
		 * it at the start. Default: nothing.
		 */
		public Builder usedBefore(int requests, long tokens) {
			this.usedBefore = new UsedBefore(requests, tokens);
			return this;
		}

		/**
		 * Refuses everything for {@code length} once an account had that many refusals
		 * within {@code window}. Default: never.
		 */
		public Builder ban(int violations, Duration window, Duration length) {
			this.ban = new Ban(violations, window, length);
			return this;
		}

		/** Answers every n-th admitted call with that status. Default: none. */
		public Builder failEvery(int calls, int status) {
			this.failures = new Failures(calls, status);
			return this;
		}

		/** Seed of everything drawn: delays and output lengths. Default: 0. */
		public Builder seed(long seed) {
			this.seed = seed;
			return this;
		}

		/**
		 * The options.
		 * @throws IllegalArgumentException if a limit, the minute or the slices are not
		 * positive
		 */
		public SimulatorOptions build() {
			return new SimulatorOptions(this.dialect, this.requestsPerMinute, this.tokensPerMinute,
					this.inputTokensPerMinute, this.outputTokensPerMinute, this.maxConcurrency, this.minute,
					this.slices, this.tokenAlgorithm, this.charging, this.settles, this.scope, this.accounts,
					this.revokedKeys, this.refusedCount, this.refusalStatus, this.headers, this.latency,
					this.networkDelay, this.outputTokens, this.chunkInterval, this.usedBefore, this.ban, this.failures,
					this.seed);
		}

	}

}
