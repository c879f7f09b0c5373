package dev.parley.workflow.journal;

/**
 * A call that has ended.
 *
 * @param position from 0, without gaps
 * @param attempt the attempt that made the call
 */
public record JournalEntry(JournalKey key, int position, int attempt, JournaledCall call) {}
