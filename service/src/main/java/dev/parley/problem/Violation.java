package dev.parley.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One violation in a request; in a response {@code {"error": kind, "path": …, "detail": …, "code": …, "params": …}}.
 *
 * @param kind short, stable name of the violated rule
 * @param path RFC 6901 JSON Pointer into the body ({@code ""} is the whole body)
 * @param detail one sentence
 * @param params what the sentence says beyond the code, sorted by name: numbers, texts and lists of texts
 */
@Schema(description = "One violation in the request")
public record Violation(
        @JsonProperty("error")
        @Schema(
                description = "The violated rule",
                examples = {"Missing Required Field", "Invalid Type", "Invalid Value", "Unknown Field"})
        String kind,

        @Schema(
                description = "JSON Pointer (RFC 6901) to the field in the body; for a query parameter or a header, its"
                        + " name with a slash in front",
                examples = "/name")
        String path,

        @Schema(description = "One sentence") String detail,

        @Schema(description = "The rule for programs; docs/reference/errors.md lists the codes")
        ViolationCode code,

        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @Schema(description = "Values of the code, such as the limit; absent if there are none")
        Map<String, Object> params) {
    public static final String MISSING_REQUIRED_FIELD = "Missing Required Field";
    public static final String INVALID_TYPE = "Invalid Type";
    public static final String CYCLIC_DEPENDENCY = "Cyclic Dependency";
    public static final String INVALID_ASSIGNMENT = "Invalid Assignment";
    public static final String INVALID_VALUE = "Invalid Value";
    public static final String UNKNOWN_FIELD = "Unknown Field";
    public static final String DISCOVERY_FAILED = "Discovery Failed";
    public static final String UNKNOWN_PARAMETER = "Unknown Parameter";

    /** In document order. */
    public static final Comparator<Violation> ORDER = Comparator.comparing(Violation::path, PointerOrder.INSTANCE)
            .thenComparing(Violation::kind)
            .thenComparing(Violation::detail);

    public Violation {
        if (!path.isEmpty() && path.charAt(0) != '/') {
            throw new IllegalArgumentException("not a JSON Pointer: " + path);
        }
        assert List.of(code.params().split(", ")).containsAll(params.keySet()) : code + " has no " + params.keySet();
        params = params.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(params));
    }

    public Violation(String kind, ViolationCode code, String path, String detail) {
        this(kind, path, detail, code, Map.of());
    }

    public static Violation missing(String path) {
        return new Violation(
                MISSING_REQUIRED_FIELD, ViolationCode.REQUIRED, path, "The field '" + path + "' is required.");
    }

    public static Violation invalid(ViolationCode code, String path, String detail) {
        return new Violation(INVALID_VALUE, code, path, detail);
    }

    /** A query parameter or header with an invalid value. */
    public static Violation parameter(ViolationCode code, String name, String detail) {
        return new Violation(INVALID_VALUE, code, member("", name), detail);
    }

    /** The same violation with these parameters of its code. */
    public Violation with(Map<String, ?> values) {
        return new Violation(kind, path, detail, code, Map.copyOf(values));
    }

    public Violation with(String param, Object value) {
        return with(Map.of(param, value));
    }

    /** The same violation elsewhere. */
    public Violation at(String other) {
        return new Violation(kind, other, detail, code, params);
    }

    /** The JSON Pointer of a member of the value at {@code path}. */
    public static String member(String path, String name) {
        return path + '/' + name.replace("~", "~0").replace("/", "~1");
    }

    /** The path without its leading slash: the field's name in a flat body; empty without a path. */
    public String field() {
        return path.isEmpty() ? "" : path.substring(1);
    }
}
