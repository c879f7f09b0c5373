package dev.parley.engine.local;

/** The result of storing a change. */
enum ChangeReceipt {
    STORED,
    /** Another writer stored this version first: load the instance again. */
    CONFLICT,
    /** The writer lost its lease: nothing was written. */
    FENCED
}
