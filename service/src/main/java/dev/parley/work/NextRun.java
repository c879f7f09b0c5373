package dev.parley.work;

/** When a worker runs next. A wake-up during a run always causes another one, except after {@link #FENCED}. */
public enum NextRun {
    /** As soon as the other waiting workers had their turn. */
    NOW,
    /** When it is woken; the worker stays in memory. */
    WHEN_WOKEN,
    /** When it is woken, or after a backoff that doubles from 1 to 8 seconds. */
    RETRY,
    /** Never: nothing is left, and the worker is dropped. */
    NEVER,
    /** Never: a write found that this node lost its lease. */
    FENCED
}
