package dev.parley.workflow.definition.core.value;

/** The types of input parameters. */
public enum ValueType {
    STRING("string"),
    INTEGER("integer"),
    FLOAT("number"),
    BOOLEAN("boolean"),
    ARRAY("array"),
    OBJECT("object");

    private final String jsonType;

    ValueType(String jsonType) {
        this.jsonType = jsonType;
    }

    /** The type in JSON Schema. */
    public String jsonType() {
        return jsonType;
    }

    /** The allowed types of an object's properties, which have no nested values. */
    public static ValueType[] ofProperties() {
        return new ValueType[] {STRING, INTEGER, FLOAT, BOOLEAN};
    }
}
