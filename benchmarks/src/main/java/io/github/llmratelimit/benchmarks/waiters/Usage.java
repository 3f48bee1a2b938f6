package io.github.llmratelimit.benchmarks.waiters;

import java.lang.management.ManagementFactory;

import com.sun.management.OperatingSystemMXBean;

/**
 * What this process uses.
 */
final class Usage {

	private static final int COLLECTIONS = 3;

	private Usage() {
	}

	/** Bytes that are reachable. */
	static long heap() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	/** CPU time of all threads. */
	static long cpuNanos() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

}
