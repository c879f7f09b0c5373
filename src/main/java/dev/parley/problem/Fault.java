package dev.parley.problem;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One thing that is wrong with a request; in an answer {@code {"error": kind, "path": …, "detail": …}}.
 *
 * @param kind a short, stable name of the rule that was broken; for agent documents one of specification section 7
 * @param path RFC 6901 JSON Pointer to the field in the body ({@code ""} is the whole body); a query parameter or a
 *     header is written as {@code ?limit} or {@code Idempotency-Key}
 * @param detail a sentence for the reader
 */
public record Fault(@JsonProperty("error") String kind, String path, String detail) {
    public static final String MISSING_REQUIRED_FIELD = "Missing Required Field";
    public static final String INVALID_TYPE = "Invalid Type";
    public static final String CYCLIC_DEPENDENCY = "Cyclic Dependency";
    public static final String INVALID_ASSIGNMENT = "Invalid Assignment";
    public static final String INVALID_VALUE = "Invalid Value";
    public static final String UNKNOWN_FIELD = "Unknown Field";

    public static Fault missing(String path) {
        return new Fault(MISSING_REQUIRED_FIELD, path, "The field '" + path + "' is required.");
    }

    public static Fault invalid(String path, String detail) {
        return new Fault(INVALID_VALUE, path, detail);
    }
}
