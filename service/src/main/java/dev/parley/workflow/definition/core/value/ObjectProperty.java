package dev.parley.workflow.definition.core.value;

/**
 * A member of an OBJECT parameter, or of an object item of an ARRAY.
 *
 * @param type one of STRING, INTEGER, FLOAT, BOOLEAN
 */
public record ObjectProperty(String name, ValueType type, String description, boolean required) {}
