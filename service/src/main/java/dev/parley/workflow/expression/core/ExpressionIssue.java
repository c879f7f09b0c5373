package dev.parley.workflow.expression.core;

/**
 * An error in the text of an expression.
 *
 * @param column the position in the line, from 1
 */
public record ExpressionIssue(int line, int column, String message) {}
