package dev.parley;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** CPU time of the calling thread, whose bounds hold beside other work. */
public final class CpuTime {
    private CpuTime() {}

    /** Work that may fail. */
    @FunctionalInterface
    public interface Work<X extends Exception> {
        void run() throws X;
    }

    public static <X extends Exception> Duration of(Work<X> work) throws X {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        work.run();
        return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
    }
}
