package dev.parley.workflow.definition.core.document;

import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the violations of a document. Every violation of an assignment rule has the kind {@code Invalid Assignment}.
 */
public final class ViolationCollector {
    private static final int MAX_VIOLATIONS = 100_000;

    private final List<Violation> found;
    private final boolean stored;
    private final @Nullable String always;

    private ViolationCollector(List<Violation> found, boolean stored, @Nullable String always) {
        this.found = found;
        this.stored = stored;
        this.always = always;
    }

    /** @param stored whether the document was valid when it was stored, possibly under fewer rules */
    public static ViolationCollector in(List<Violation> found, boolean stored) {
        return new ViolationCollector(found, stored, null);
    }

    /** The same list, but every violation becomes an invalid assignment. */
    public ViolationCollector ofAssignment() {
        return new ViolationCollector(found, stored, Violation.INVALID_ASSIGNMENT);
    }

    public void missing(ViolationCode code, JsonPointer at, String detail) {
        missing(code, at, detail, Map.of());
    }

    public void missing(ViolationCode code, JsonPointer at, String detail, Map<String, ?> params) {
        add(Violation.MISSING_REQUIRED_FIELD, code, at, detail, params);
    }

    public void invalid(ViolationCode code, JsonPointer at, String detail) {
        invalid(code, at, detail, Map.of());
    }

    public void invalid(ViolationCode code, JsonPointer at, String detail, Map<String, ?> params) {
        add(Violation.INVALID_TYPE, code, at, detail, params);
    }

    /** @param tasks the ids on the cycle, of which the first is also the last */
    public void cyclic(JsonPointer at, String detail, List<String> tasks) {
        add(Violation.CYCLIC_DEPENDENCY, ViolationCode.CYCLE, at, detail, Map.of("tasks", tasks));
    }

    /** Whether rules introduced after the document was stored are skipped. */
    boolean areOfStored() {
        return stored;
    }

    /** For the value rules, which create violations themselves. */
    public List<Violation> list() {
        return found;
    }

    public List<Violation> sorted() {
        return found.stream().sorted(Violation.ORDER).toList();
    }

    private void add(String kind, ViolationCode code, JsonPointer at, String detail, Map<String, ?> params) {
        if (found.size() < MAX_VIOLATIONS) {
            found.add(new Violation(always == null ? kind : always, code, at.toString(), detail).with(params));
        }
    }
}
