package dev.parley.workflow.expression.core;

/** The result of an expression. */
public sealed interface EvaluationResult {
    /** @param holds false for an expression whose value is null */
    record Condition(boolean holds) implements EvaluationResult {}

    /** The expression has no value, for example because it compares with null. */
    record EvaluationError(String detail) implements EvaluationResult {}
}
