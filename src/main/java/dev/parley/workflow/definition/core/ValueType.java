package dev.parley.workflow.definition.core;

/** The types of input parameters. */
public enum ValueType {
    STRING,
    INTEGER,
    FLOAT,
    BOOLEAN,
    ARRAY,
    OBJECT;

    /** The types that the properties of an object may have: they are not nested further. */
    public static ValueType[] ofProperties() {
        return new ValueType[] {STRING, INTEGER, FLOAT, BOOLEAN};
    }
}
