package dev.parley.workflow.definition.core;

/** The types of input parameters (specification 2.6, "Input parameter"). */
public enum ValueType {
    STRING,
    INTEGER,
    FLOAT,
    BOOLEAN,
    ARRAY,
    OBJECT
}
