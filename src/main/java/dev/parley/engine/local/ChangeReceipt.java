package dev.parley.engine.local;

/** What became of a change. */
enum ChangeReceipt {
    STORED,
    /** Another writer stored this version first: load the instance again. */
    CONFLICT,
    /** The writer lost its lease: nothing was written. */
    FENCED
}
