package dev.parley.workflow.definition.core;

import dev.parley.problem.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the readers of a document put what is wrong with it. Everything about an assignment rule is of one kind,
 * {@code Invalid Assignment}, whatever is wrong with it (specification section 7: "rule missing or invalid").
 */
final class Faults {
    private final List<Fault> found;
    private final boolean stored;
    private final @Nullable String always;

    private Faults(List<Fault> found, boolean stored, @Nullable String always) {
        this.found = found;
        this.stored = stored;
        this.always = always;
    }

    /** @param stored whether the document was valid when it was stored, maybe by fewer rules */
    static Faults in(List<Fault> found, boolean stored) {
        return new Faults(found, stored, null);
    }

    /** The same list, where every fault is an invalid assignment. */
    Faults ofAssignment() {
        return new Faults(found, stored, Fault.INVALID_ASSIGNMENT);
    }

    void missing(Pointer at, String detail) {
        add(Fault.MISSING_REQUIRED_FIELD, at, detail);
    }

    void invalid(Pointer at, String detail) {
        add(Fault.INVALID_TYPE, at, detail);
    }

    void cyclic(Pointer at, String detail) {
        add(Fault.CYCLIC_DEPENDENCY, at, detail);
    }

    /** Whether rules that came after documents were stored are not held. */
    boolean areOfStored() {
        return stored;
    }

    /** For the value rules, which write their faults themselves. */
    List<Fault> list() {
        return found;
    }

    List<Fault> sorted() {
        return found.stream().sorted(Fault.ORDER).toList();
    }

    private void add(String kind, Pointer at, String detail) {
        found.add(new Fault(always == null ? kind : always, at.toString(), detail));
    }
}
