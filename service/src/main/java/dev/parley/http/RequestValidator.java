package dev.parley.http;

import dev.parley.http.constraint.RequestConstraints;
import dev.parley.http.core.SingleLineText;
import dev.parley.http.json.Rfc3339;
import dev.parley.id.Id;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jspecify.annotations.Nullable;

/**
 * Collects the violations of a request, so that the client gets all of them at once. A failed check returns a harmless
 * value or empty; {@link #done} throws if there are violations.
 */
public final class RequestValidator {
    private static final String MISMATCHES = "body.mismatches";

    private final List<Violation> violations = new ArrayList<>();

    /** Of members that the body lost: what is said of them beside it is void. */
    private List<Violation> mismatches = List.of();

    /** For the checks of a request's body beyond its constraints and its shape, whose violations it has already. */
    public static RequestValidator of(@Nullable Object body) {
        var validator = new RequestValidator();
        validator.mismatches = mismatchesOfRequest();
        return body == null ? validator : validator.addAll(RequestConstraints.violations(body));
    }

    /** Keeps the violations of the members that the body of this request lost because they do not match its record. */
    public static void keep(List<Violation> mismatches) {
        CurrentRequestManager.get().setProperty(MISMATCHES, mismatches);
    }

    @SuppressWarnings("unchecked")
    private static List<Violation> mismatchesOfRequest() {
        var request = CurrentRequestManager.get();
        Object found = request == null ? null : request.getProperty(MISMATCHES);
        return found == null ? List.of() : (List<Violation>) found;
    }

    public RequestValidator add(Violation violation) {
        violations.add(violation);
        return this;
    }

    public RequestValidator addAll(List<Violation> more) {
        violations.addAll(more);
        return this;
    }

    /** A required string of {@code min} to {@code max} characters; not blank if {@code min} is above 0. */
    public String text(@Nullable String value, String path, int min, int max) {
        if (value == null) {
            violations.add(Violation.missing(path));
            return "";
        }
        int length = value.codePointCount(0, value.length());
        if (length < min || length > max || (min > 0 && value.isBlank())) {
            violations.add(Violation.invalid(
                            length > max ? ViolationCode.TOO_LONG : ViolationCode.TOO_SHORT,
                            path,
                            "'" + path + "' must have " + min + " to " + max + " characters.")
                    .with(Map.of("min", min, "max", max)));
        }
        return value;
    }

    /** A required name of at most {@code max} characters, which is {@link SingleLineText}. */
    public String name(@Nullable String value, String path, int max) {
        String text = text(value, path, 1, max);
        if (!SingleLineText.is(text)) {
            violations.add(
                    Violation.invalid(
                            ViolationCode.INVALID_CHARACTERS,
                            path,
                            "'" + path
                                    + "' must not contain control characters, line breaks or characters that change the text direction."));
        }
        return text;
    }

    public void require(boolean holds, ViolationCode code, String path, String detail) {
        require(holds, code, path, detail, Map.of());
    }

    public void require(boolean holds, ViolationCode code, String path, String detail, Map<String, ?> params) {
        if (!holds) {
            violations.add(Violation.invalid(code, path, detail).with(params));
        }
    }

    /** An id in a body; empty if absent or malformed; a malformed one is a violation. */
    public <I extends Id> Optional<I> id(@Nullable String value, String path, Function<String, Optional<I>> parse) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<I> id = parse.apply(value);
        if (id.isEmpty()) {
            violations.add(Violation.invalid(
                    ViolationCode.INVALID_FORMAT, path, "'" + path + "' must be an id of 32 hex digits."));
        }
        return id;
    }

    /** Same as {@link #id} for a query parameter. */
    public <I extends Id> Optional<I> parameterId(
            @Nullable String value, String name, Function<String, Optional<I>> parse) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<I> id = parse.apply(value);
        requireParameter(
                id.isPresent(), ViolationCode.INVALID_FORMAT, name, "'" + name + "' must be an id of 32 hex digits.");
        return id;
    }

    /** One or more constants in a query parameter, separated by commas; empty if absent or unknown. */
    public <E extends Enum<E>> Set<E> parameterEnums(@Nullable String value, String name, Class<E> type) {
        Set<E> found = EnumSet.noneOf(type);
        if (value == null) {
            return found;
        }
        List<E> constants = List.of(type.getEnumConstants());
        for (String text : value.split(",", -1)) {
            Optional<E> constant =
                    constants.stream().filter(one -> one.name().equals(text)).findFirst();
            if (constant.isEmpty()) {
                violations.add(Violation.parameter(
                                ViolationCode.NOT_ONE_OF,
                                name,
                                "'" + name + "' must be one or more of " + constants + ".")
                        .with("allowed", constants));
                return EnumSet.noneOf(type);
            }
            found.add(constant.get());
        }
        return found;
    }

    /** A constant in a query parameter, in lower case; empty if absent or unknown. */
    public <E extends Enum<E>> Optional<E> parameterEnum(@Nullable String value, String name, Class<E> type) {
        Map<String, E> constants = new LinkedHashMap<>();
        for (E constant : type.getEnumConstants()) {
            constants.put(constant.name().toLowerCase(Locale.ROOT), constant);
        }
        Optional<E> found = Optional.ofNullable(value).map(constants::get);
        requireParameter(
                value == null || found.isPresent(),
                ViolationCode.NOT_ONE_OF,
                name,
                "'" + name + "' must be one of " + constants.keySet() + ".",
                Map.of("allowed", List.copyOf(constants.keySet())));
        return found;
    }

    /** Same as {@link #time} for a query parameter. */
    public Optional<Instant> parameterTime(@Nullable String value, String name) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<Instant> time = Rfc3339.parse(value);
        requireParameter(
                time.isPresent(),
                ViolationCode.INVALID_FORMAT,
                name,
                "'" + name + "' must be a time such as 2026-01-31T12:00:00Z.");
        return time;
    }

    /** A time in a body; empty if absent or malformed; a malformed one is a violation. */
    public Optional<Instant> time(@Nullable String value, String path) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<Instant> time = Rfc3339.parse(value);
        if (time.isEmpty()) {
            violations.add(Violation.invalid(
                    ViolationCode.INVALID_FORMAT, path, "'" + path + "' must be a time such as 2026-01-31T12:00:00Z."));
        }
        return time;
    }

    /** A time or a date in a body, parsed by {@link Rfc3339#parseEnd}. */
    public Optional<Instant> timeOrDate(@Nullable String value, String path) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<Instant> time = Rfc3339.parseEnd(value);
        require(
                time.isPresent(),
                ViolationCode.INVALID_FORMAT,
                path,
                "'" + path + "' must be a time such as 2026-01-31T12:00:00Z or a date such as 2026-01-31.");
        return time;
    }

    /** A query parameter that is true or false; false if absent. */
    public boolean parameterFlag(@Nullable String value, String name) {
        requireParameter(
                value == null || value.equals("true") || value.equals("false"),
                ViolationCode.NOT_ONE_OF,
                name,
                "'" + name + "' must be 'true' or 'false'.",
                Map.of("allowed", List.of("true", "false")));
        return "true".equals(value);
    }

    /** A query parameter to search for, without the space around it; empty if absent. */
    public String parameterSearch(@Nullable String value, int max) {
        String search = value == null ? "" : value;
        requireParameter(
                search.length() <= max && search.indexOf('\0') < 0,
                search.length() <= max ? ViolationCode.INVALID_CHARACTERS : ViolationCode.TOO_LONG,
                "search",
                "'search' must have at most " + max + " characters, without NUL.",
                search.length() <= max ? Map.of() : Map.of("max", max));
        return search.strip();
    }

    /** Requires a valid query parameter. */
    public void requireParameter(boolean holds, ViolationCode code, String name, String detail) {
        requireParameter(holds, code, name, detail, Map.of());
    }

    public void requireParameter(boolean holds, ViolationCode code, String name, String detail, Map<String, ?> params) {
        if (!holds) {
            violations.add(Violation.parameter(code, name, detail).with(params));
        }
    }

    public boolean hasViolations() {
        return !violations.isEmpty() || !mismatches.isEmpty();
    }

    /** Throws a 400 with all violations, sorted by path, if there are any. */
    public void done() {
        if (hasViolations()) {
            throw ApiProblem.invalid(
                    Stream.concat(mismatches.stream(), violations.stream().filter(this::isOfMatchingMember))
                            .sorted(Violation.ORDER)
                            .toList());
        }
    }

    private boolean isOfMatchingMember(Violation violation) {
        return mismatches.stream().noneMatch(mismatch -> (mismatch.path() + "/").startsWith(violation.path() + "/"));
    }

    /** An id in a path. A malformed id is a 404, like an unknown one. */
    public static <I extends Id> I pathId(@Nullable String value, String what, Function<String, Optional<I>> parse) {
        return Optional.ofNullable(value).flatMap(parse).orElseThrow(() -> ApiProblem.notFound(what));
    }
}
