package dev.parley.problem;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a violation is, for programs. {@code docs/reference/errors.md} is written from the constants. */
public enum ViolationCode {
    REQUIRED(
            "The field is absent, null or blank.",
            "Send the field. `input` names the input that is absent from a list.",
            "input"),
    TOO_SHORT("The text is shorter than the limit, or blank.", "Send a longer text.", "min, max"),
    TOO_LONG(
            "The text has more characters, or the value more bytes, than the limit.",
            "Send a shorter one.",
            "min, max, actual"),
    TOO_FEW("The list has fewer entries than the limit.", "Add entries.", "min, max"),
    TOO_MANY("The list or object has more entries than the limit.", "Remove entries.", "min, max, actual"),
    TOO_DEEP("The value is nested too deep.", "Nest it less.", "max"),
    OUT_OF_RANGE(
            "The number or time is outside the range, or the value is not a number.",
            "Send one within the range. `above` is a limit that does not belong to the range.",
            "min, max, above"),
    INVALID_FORMAT("The text does not have the expected form.", "See the field's description for the form.", ""),
    INVALID_CHARACTERS(
            "The text has characters that are not allowed here, such as control characters, NUL or an unpaired"
                    + " surrogate.",
            "Remove them.",
            ""),
    NOT_ONE_OF("The value is not one of the allowed ones.", "Send one of `allowed`.", "allowed"),
    WRONG_TYPE(
            "The value has another type than the field.",
            "Send a value of the type `expected`. In a row filter, `column` is the compared column.",
            "expected, column"),
    UNKNOWN_FIELD("The object has no such field.", "Remove the field, or correct its name.", ""),
    UNKNOWN_PARAMETER("The endpoint has no such query parameter.", "Remove it, or correct its name.", ""),
    REPEATED("The query parameter or header occurs more than once.", "Send it once.", ""),
    NOT_FOUND(
            "The field refers to something that does not exist, or that the caller may not see.",
            "Refer to an existing one.",
            "id, task, input, output, column"),
    ALREADY_USED(
            "Another entry has the same name, id or end of a connection.",
            "Choose another, or remove the entry at `other`.",
            "value, other"),
    NOT_ALLOWED(
            "The field, the value or the entry is not allowed together with the others, or cannot be changed.",
            "Remove it, or change what excludes it.",
            "source, type"),
    MISMATCH(
            "The value contradicts what was declared or stored before.",
            "Send the same as before, or declare the new value first.",
            "expected"),
    TYPE_MISMATCH(
            "The type of what is connected or passed does not fit the type of what receives it.",
            "Change one of the types, or connect another.",
            "from, to"),
    NOT_CONNECTED(
            "The task has no connection or dependency, or the required input has no source.",
            "Connect it, or choose another source for the input.",
            ""),
    CYCLE("The tasks wait for each other.", "Remove one of the connections between them.", "tasks"),
    INVALID_SYNTAX(
            "An expression or code does not compile.", "Correct it at the line and column.", "line, column, message"),
    SCHEMA_MISMATCH(
            "The argument does not match the tool's JSON Schema.",
            "Correct it by `message`, which is the rule `keyword` in words.",
            "keyword, message"),
    UNREADABLE(
            "The file, the table or the document cannot be read.",
            "Correct its content, or the choices for reading it.",
            ""),
    UNREACHABLE(
            "The address cannot be used: it does not respond, responds with an error, or may not be called.",
            "Correct the address, or ask the operator to allow it.",
            ""),
    INVALID_VALUE("The value is not usable for another reason.", "The detail names the reason.", "");

    private final String cause;
    private final String remedy;
    private final String params;

    ViolationCode(String cause, String remedy, String params) {
        this.cause = cause;
        this.remedy = remedy;
        this.params = params;
    }

    /** The code in JSON. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String cause() {
        return cause;
    }

    public String remedy() {
        return remedy;
    }

    /** The names of the parameters that a violation with the code may have, separated by commas. */
    public String params() {
        return params;
    }
}
