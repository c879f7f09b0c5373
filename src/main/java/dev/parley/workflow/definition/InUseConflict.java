package dev.parley.workflow.definition;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import java.util.List;
import java.util.stream.Collectors;

/** Rejects the deletion of entities that published workflow versions use. */
public final class InUseConflict {
    private static final int MAX_NAMES = 10;

    private InUseConflict() {}

    /** A 409 that names the workflows. */
    public static ApiProblem conflict(String used, List<String> workflows) {
        String names = workflows.stream()
                .limit(MAX_NAMES)
                .map(name -> "'" + name + "'")
                .collect(Collectors.joining(", "));
        int more = workflows.size() - MAX_NAMES;
        return ApiProblem.of(
                ProblemKind.CONFLICT,
                "Published workflows use this " + used + ": " + names + (more > 0 ? " and " + more + " more." : "."));
    }
}
