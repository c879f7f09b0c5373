package dev.parley.work;

/** Does the work of one key. The runtime calls {@link #run} and {@link #release} from one thread at a time. */
public interface KeyWorker {
    /** Does some of the work that waits. After a failure the runtime calls it again, with backoff. */
    NextRun run() throws InterruptedException;

    /** The shortest time until the next run, in nanoseconds, for a worker that gathers its input; may be negative. */
    default long delayNanos() {
        return 0;
    }

    /** Gives up the ownership of an idle key; false if work is left, and the worker is kept. */
    default boolean release() {
        return true;
    }

    /** Called when this node lost the key or stops, possibly during {@link #run}: nothing more may be done here. */
    default void abandon() {}
}
