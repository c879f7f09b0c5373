package dev.parley.workflow.definition.core;

import dev.parley.problem.Fault;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the readers of a document put what is wrong with it. Everything about an assignment rule is of one kind,
 * {@code Invalid Assignment}, whatever is wrong with it (specification section 7: "rule missing or invalid").
 */
final class Faults {
    private static final Comparator<Fault> ORDER = Comparator.comparing(Fault::path, Pointer.ORDER)
            .thenComparing(Fault::kind)
            .thenComparing(Fault::detail);

    private final List<Fault> found;
    private final @Nullable String always;

    private Faults(List<Fault> found, @Nullable String always) {
        this.found = found;
        this.always = always;
    }

    static Faults in(List<Fault> found) {
        return new Faults(found, null);
    }

    /** The same list, where every fault is an invalid assignment. */
    Faults ofAssignment() {
        return new Faults(found, Fault.INVALID_ASSIGNMENT);
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

    /** For the value rules, which write their faults themselves. */
    List<Fault> list() {
        return found;
    }

    List<Fault> sorted() {
        return found.stream().sorted(ORDER).toList();
    }

    private void add(String kind, Pointer at, String detail) {
        found.add(new Fault(always == null ? kind : always, at.toString(), detail));
    }
}
