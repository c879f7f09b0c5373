package dev.parley.problem;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An error response: {@code {"error", "detail", "errors"}}. Thrown where the error is detected and written by one
 * mapper. Has no stack trace, because it describes the request, not the program.
 */
public final class ApiProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ProblemKind kind;
    private final transient List<Violation> faults;
    private final transient @Nullable Duration retryAfter;
    private final transient Map<String, Object> extra;

    private ApiProblem(
            ProblemKind kind,
            String detail,
            List<Violation> faults,
            @Nullable Duration retryAfter,
            Map<String, Object> extra) {
        super(detail, null, false, false);
        this.kind = kind;
        this.faults = List.copyOf(faults);
        this.retryAfter = retryAfter;
        this.extra = Map.copyOf(extra);
    }

    public static ApiProblem of(ProblemKind kind, String detail) {
        return new ApiProblem(kind, detail, List.of(), null, Map.of());
    }

    /** A 400 with violations; the detail is that of the first one, and all follow in {@code errors}. */
    public static ApiProblem invalid(List<Violation> faults) {
        return new ApiProblem(ProblemKind.VALIDATION_FAILED, faults.getFirst().detail(), faults, null, Map.of());
    }

    public static ApiProblem invalid(Violation fault) {
        return invalid(List.of(fault));
    }

    /** A problem of another kind with one violation. */
    public static ApiProblem of(ProblemKind kind, Violation fault) {
        return new ApiProblem(kind, fault.detail(), List.of(fault), null, Map.of());
    }

    /** A 404. Does not reveal whether another organization has such a resource. */
    public static ApiProblem notFound(String what) {
        return of(ProblemKind.NOT_FOUND, "There is no such " + what + ".");
    }

    /** A 503 with {@code Retry-After}: nothing was stored, and the same request may succeed later. */
    public static ApiProblem unavailable(String detail, Duration retryAfter) {
        return new ApiProblem(ProblemKind.UNAVAILABLE, detail, List.of(), retryAfter, Map.of());
    }

    /** A temporary 409, with {@code Retry-After}. */
    public static ApiProblem inProgress(String detail, Duration retryAfter) {
        return new ApiProblem(ProblemKind.REQUEST_IN_PROGRESS, detail, List.of(), retryAfter, Map.of());
    }

    public static ApiProblem tooMany(String detail, Duration retryAfter) {
        return new ApiProblem(ProblemKind.TOO_MANY_REQUESTS, detail, List.of(), retryAfter, Map.of());
    }

    /** The same problem with an additional member, such as the current {@code status} with a 409. */
    public ApiProblem with(String member, Object value) {
        Map<String, Object> more = new HashMap<>(extra);
        more.put(member, value);
        return new ApiProblem(kind, detail(), faults, retryAfter, more);
    }

    /** The same problem without violations, for a request without a body. */
    public ApiProblem withoutFields() {
        return new ApiProblem(kind, detail(), List.of(), retryAfter, extra);
    }

    public ProblemKind kind() {
        return kind;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    public List<Violation> faults() {
        return faults;
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** Members other than {@code error}, {@code detail} and {@code errors}. */
    public Map<String, Object> extra() {
        return extra;
    }
}
