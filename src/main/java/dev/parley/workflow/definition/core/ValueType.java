package dev.parley.workflow.definition.core;

/** The types of input parameters (specification 2.6, "Input parameter"). */
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
