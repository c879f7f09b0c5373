package dev.parley.workflow.definition.core;

import java.util.EnumSet;
import java.util.Set;

/** Defines which outputs may be connected to which inputs. */
public final class TypeCompatibility {
    private TypeCompatibility() {}

    /** Whether the input accepts every value of this output type. */
    public static boolean compatible(OutputType output, ValueType input) {
        return accepting(output).contains(input);
    }

    /** The input types that accept this output type; a file is passed as its S3-style URI, which is a STRING. */
    public static Set<ValueType> accepting(OutputType output) {
        return switch (output) {
            case BOOLEAN -> EnumSet.of(ValueType.BOOLEAN);
            case INTEGER -> EnumSet.of(ValueType.INTEGER, ValueType.FLOAT);
            case FLOAT -> EnumSet.of(ValueType.FLOAT);
            case STRING, DATETIME, TEXT, MARKDOWN, HTML, CODE, PDF, CSV, XML, FILE, PPT -> EnumSet.of(ValueType.STRING);
        };
    }
}
