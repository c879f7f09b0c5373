package dev.parley.budget.core;

/**
 * The most that a call is expected to use.
 *
 * @param costMicros in millionths of the currency
 */
public record CallEstimate(long tokens, long costMicros) {}
