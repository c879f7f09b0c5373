package dev.parley.workflow.instance.api;

import dev.parley.http.RequestValidator;
import dev.parley.http.Viewer;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceReader;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The validated filters of a list of instances. */
record InstanceQuery(InstanceReader.InstanceFilter filter) {
    static final int MAX_SEARCH = 200;
    static final String SEARCH = "The id of an instance, or a part of the input preview in any case. Previews are"
            + " searched in the newest 20,000 instances that match the other filters.";

    static InstanceQuery read(
            @Nullable String status,
            @Nullable String workflowId,
            @Nullable String createdSince,
            @Nullable String createdUntil,
            @Nullable String search) {
        var checks = new RequestValidator();
        InstanceStatus statusFilter = status == null ? null : status(status, checks);
        Optional<WorkflowId> workflow = checks.parameterId(workflowId, "workflow_id", WorkflowId::parse);
        Optional<Instant> since = checks.parameterTime(createdSince, "created_since");
        Optional<Instant> until = checks.parameterTime(createdUntil, "created_until");
        String text = search == null || search.isBlank() ? null : search.strip();
        checks.requireParameter(
                text == null || (text.length() <= MAX_SEARCH && text.indexOf('\0') < 0),
                "search",
                "'search' must have at most 200 characters, and no NUL.");
        checks.done();
        return new InstanceQuery(new InstanceReader.InstanceFilter(
                statusFilter, workflow.orElse(null), null, since.orElse(null), until.orElse(null), text));
    }

    /** The filter, restricted to what the viewer sees. */
    InstanceReader.InstanceFilter visibleTo(Viewer viewer) {
        if (filter.workflow() != null) {
            viewer.requireWorkflow(filter.workflow());
        }
        WorkflowId only = viewer.workflowId();
        return new InstanceReader.InstanceFilter(
                filter.status(),
                only != null ? only : filter.workflow(),
                viewer.teamId(),
                filter.createdSince(),
                filter.createdUntil(),
                filter.text());
    }

    /** The cursor of a history: the version of the last entry. */
    static int version(@Nullable String after) {
        if (after == null) {
            return 0;
        }
        try {
            return Math.max(0, Integer.parseInt(after));
        } catch (NumberFormatException _) {
            throw ApiProblem.invalid(Violation.parameter("after", "'after' must be the next of the page before."));
        }
    }

    private static @Nullable InstanceStatus status(String name, RequestValidator checks) {
        Optional<InstanceStatus> found = Arrays.stream(InstanceStatus.values())
                .filter(status -> status.name().equals(name))
                .findFirst();
        if (found.isEmpty()) {
            checks.add(Violation.parameter(
                    "status",
                    "'status' must be one of "
                            + Arrays.stream(InstanceStatus.values())
                                    .map(Enum::name)
                                    .collect(Collectors.joining(", "))
                            + "."));
        }
        return found.orElse(null);
    }
}
