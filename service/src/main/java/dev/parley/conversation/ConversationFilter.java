package dev.parley.conversation;

import dev.parley.id.IdRange;
import dev.parley.id.WorkflowId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which conversations to list; null members match all.
 *
 * @param after what the rows must precede in the list's order
 */
public record ConversationFilter(
        @Nullable ConversationUsecase usecase,
        @Nullable WorkflowId workflowId,
        @Nullable Integer teamId,
        @Nullable IdRange ids,
        @Nullable UUID after) {
    /**
     * The conditions of a statement that binds the filter: only the requested ones, so that an index serves each list.
     *
     * @param order the expression by which the list is in descending order
     */
    public String conditions(String order) {
        return (after == null ? "" : " AND " + order + " < :after")
                + (usecase == null ? "" : " AND usecase = :usecase")
                + (workflowId == null ? "" : " AND workflow_id = :workflowId")
                + (teamId == null ? "" : " AND team_id = :teamId")
                + (ids == null ? "" : " AND id BETWEEN :ids.from AND :ids.to");
    }
}
