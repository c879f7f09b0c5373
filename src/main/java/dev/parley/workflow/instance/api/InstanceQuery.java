package dev.parley.workflow.instance.api;

import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.Viewer;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceReader;
import dev.parley.workflow.instance.view.ListedView;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The validated query parameters of a list of instances. */
record InstanceQuery(InstanceReader.InstanceFilter filter, Optional<WorkflowInstanceId> after, int limit) {

    static InstanceQuery read(
            @Nullable String limit,
            @Nullable String after,
            @Nullable String status,
            @Nullable String workflowId,
            @Nullable String createdSince) {
        int most = Page.limit(limit);
        var checks = new RequestValidator();
        InstanceStatus statusFilter = status == null ? null : status(status, checks);
        Optional<WorkflowId> workflow = checks.parameterId(workflowId, "workflow_id", WorkflowId::parse);
        Optional<Instant> since = checks.parameterTime(createdSince, "created_since");
        Optional<WorkflowInstanceId> cursor = checks.parameterId(after, "after", WorkflowInstanceId::parse);
        checks.done();
        return new InstanceQuery(
                new InstanceReader.InstanceFilter(statusFilter, workflow.orElse(null), null, since.orElse(null)),
                cursor,
                most);
    }

    /** Reads the page, restricted to what the viewer sees. */
    Page<ListedView> page(InstanceReader reader, Viewer viewer) {
        if (filter.workflow() != null) {
            viewer.requireWorkflow(filter.workflow());
        }
        WorkflowId only = viewer.workflowId();
        var visible = new InstanceReader.InstanceFilter(
                filter.status(), only != null ? only : filter.workflow(), viewer.teamId(), filter.createdSince());
        List<ListedView> rows = reader.list(viewer.organization(), visible, after.orElse(null), limit + 1).stream()
                .map(ListedView::of)
                .toList();
        return Page.of(rows, limit, row -> row.workflowInstanceId().text());
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
