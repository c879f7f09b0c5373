package dev.parley.workflow.definition.core;

/** The types of input parameters. */
public enum ValueType {
    STRING,
    INTEGER,
    FLOAT,
    BOOLEAN,
    ARRAY,
    OBJECT;

    /** The allowed types of an object's properties, which have no nested values. */
    public static ValueType[] ofProperties() {
        return new ValueType[] {STRING, INTEGER, FLOAT, BOOLEAN};
    }
}
