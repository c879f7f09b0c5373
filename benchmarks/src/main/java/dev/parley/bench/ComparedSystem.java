package dev.parley.bench;

/** One of several systems that do the same jobs in alternating rounds. */
interface ComparedSystem {
    String name();

    /** The load of a job; every compared system has the same jobs. */
    Load load(String job);

    /** What the system has used so far. */
    ResourceUse used();

    /** Waits until nothing is left of the work that a load caused. */
    default void awaitIdle() {}
}
