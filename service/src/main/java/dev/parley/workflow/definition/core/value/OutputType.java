package dev.parley.workflow.definition.core.value;

import java.util.EnumSet;
import java.util.Set;

/** The types of output parameters: basic ones, and kinds of files. */
public enum OutputType {
    BOOLEAN(ValueType.BOOLEAN, false),
    INTEGER(ValueType.INTEGER, false),
    FLOAT(ValueType.FLOAT, false),
    STRING(ValueType.STRING, false),
    DATETIME(ValueType.STRING, false),
    TEXT(ValueType.STRING, true),
    MARKDOWN(ValueType.STRING, true),
    HTML(ValueType.STRING, true),
    CODE(ValueType.STRING, true),
    PDF(ValueType.STRING, true),
    CSV(ValueType.STRING, true),
    XML(ValueType.STRING, true),
    FILE(ValueType.STRING, true),
    PPT(ValueType.STRING, true);

    private final ValueType valueType;
    private final boolean file;

    OutputType(ValueType valueType, boolean file) {
        this.valueType = valueType;
        this.file = file;
    }

    /** The type of the value as an input; a file is passed between tasks as its S3-style URI. */
    public ValueType valueType() {
        return valueType;
    }

    /** Whether the value is a file. */
    public boolean isFile() {
        return file;
    }

    /** The types of inputs that accept every value of this type. */
    public Set<ValueType> acceptingInputs() {
        return this == INTEGER ? EnumSet.of(ValueType.INTEGER, ValueType.FLOAT) : EnumSet.of(valueType);
    }

    public boolean fits(ValueType input) {
        return acceptingInputs().contains(input);
    }
}
