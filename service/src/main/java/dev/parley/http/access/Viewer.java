package dev.parley.http.access;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** The API key or dashboard user of a request, and what it may see in the organization. */
public sealed interface Viewer permits ApiKeyCaller, OrganizationMember {
    /** The viewer of a route that both APIs have, whose {@link Access} was checked. */
    static Viewer of(RoutingContext request) {
        Viewer member = request.get(OrganizationMember.ATTRIBUTE);
        return member == null ? ApiKeyCaller.of(request) : member;
    }

    OrganizationId organization();

    /** The value of {@code created_by} and of histories. */
    String createdBy();

    /** The only team whose data is visible; null for all. */
    default @Nullable Integer teamId() {
        return null;
    }

    /** The only workflow that may be used; null for all. */
    default @Nullable WorkflowId workflowId() {
        return null;
    }

    /** Rejects a workflow other than the only permitted one; null means no workflow. */
    default void requireWorkflow(@Nullable WorkflowId used) {
        WorkflowId only = workflowId();
        if (only != null && !only.equals(used)) {
            throw ApiProblem.of(ProblemKind.WORKFLOW_NOT_AUTHORIZED, "The API key is restricted to another workflow.");
        }
    }

    /** Whether data of the team is visible; null means no team. */
    default boolean sees(@Nullable Integer team) {
        Integer only = teamId();
        return only == null || only.equals(team);
    }
}
