package dev.parley.workflow.instance.api;

import dev.parley.http.RequestValidator;
import dev.parley.http.Viewer;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.instance.core.InstanceStatus;
import dev.parley.workflow.instance.store.InstanceReader;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The validated filters of a list of instances. */
record InstanceQuery(InstanceReader.InstanceFilter filter) {
    static InstanceQuery read(InstanceFilterParameters given) {
        var validator = new RequestValidator();
        Set<InstanceStatus> statuses = validator.parameterEnums(given.status, "status", InstanceStatus.class);
        Optional<WorkflowId> workflow = validator.parameterId(given.workflowId, "workflow_id", WorkflowId::parse);
        Optional<WorkflowInstanceId> parent =
                validator.parameterId(given.parentInstanceId, "parent_instance_id", WorkflowInstanceId::parse);
        Boolean testRun = given.testRun == null ? null : validator.parameterFlag(given.testRun, "test_run");
        Optional<Instant> since = validator.parameterTime(given.createdSince, "created_since");
        Optional<Instant> until = validator.parameterTime(given.createdUntil, "created_until");
        String text = validator.parameterSearch(given.search, InstanceFilterParameters.MAX_SEARCH);
        validator.done();
        return new InstanceQuery(new InstanceReader.InstanceFilter(
                statuses,
                workflow.orElse(null),
                parent.orElse(null),
                null,
                testRun,
                since.orElse(null),
                until.orElse(null),
                text.isEmpty() ? null : text));
    }

    /** The filter, restricted to what the viewer sees. */
    InstanceReader.InstanceFilter visibleTo(Viewer viewer) {
        if (filter.workflow() != null) {
            viewer.requireWorkflow(filter.workflow());
        }
        WorkflowId only = viewer.workflowId();
        return new InstanceReader.InstanceFilter(
                filter.statuses(),
                only != null ? only : filter.workflow(),
                filter.parent(),
                viewer.teamId(),
                filter.testRun(),
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
}
