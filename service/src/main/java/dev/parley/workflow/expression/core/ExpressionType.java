package dev.parley.workflow.expression.core;

/** The type of a variable in an expression. */
public sealed interface ExpressionType {
    /** A scalar; a variable without a value is null. */
    enum Scalar implements ExpressionType {
        BOOLEAN,
        INTEGER,
        FLOAT,
        STRING,
        DATETIME
    }

    /** A list; a variable without a value is an empty list. */
    record ListOf(ExpressionType items) implements ExpressionType {}

    /** An object whose members have any type; a variable without a value is an empty object. */
    record AnyObject() implements ExpressionType {}
}
