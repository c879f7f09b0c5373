package dev.parley.conversation;

import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.Viewer;
import dev.parley.id.ConversationId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The validated query parameters of a list of conversations. */
record ConversationQuery(ConversationStore.ConversationFilter filter, Optional<ConversationId> after, int limit) {

    static ConversationQuery read(
            @Nullable String limit,
            @Nullable String after,
            @Nullable String usecase,
            @Nullable String workflowId,
            @Nullable String teamId) {
        int max = Page.limit(limit);
        var validator = new RequestValidator();
        Optional<ConversationUsecase> requestedUsecase =
                Optional.ofNullable(usecase).flatMap(name -> usecase(name, validator));
        Optional<WorkflowId> workflow = validator.parameterId(workflowId, "workflow_id", WorkflowId::parse);
        Optional<Integer> team = Optional.ofNullable(teamId).flatMap(text -> team(text, validator));
        Optional<ConversationId> cursor = validator.parameterId(after, "after", ConversationId::parse);
        validator.done();
        return new ConversationQuery(
                new ConversationStore.ConversationFilter(
                        requestedUsecase.orElse(null), workflow.orElse(null), team.orElse(null), null),
                cursor,
                max);
    }

    /** Reads the page, restricted to what the viewer sees. */
    Page<Conversation> page(ConversationStore store, Viewer viewer) {
        if (filter.workflowId() != null) {
            viewer.requireWorkflow(filter.workflowId());
        }
        Integer onlyTeam = viewer.teamId();
        if (onlyTeam != null && filter.teamId() != null && !filter.teamId().equals(onlyTeam)) {
            return new Page<>(List.of(), null);
        }
        WorkflowId onlyWorkflow = viewer.workflowId();
        var visible = new ConversationStore.ConversationFilter(
                filter.usecase(),
                onlyWorkflow != null ? onlyWorkflow : filter.workflowId(),
                onlyTeam != null ? onlyTeam : filter.teamId(),
                null);
        return Page.of(store.list(viewer.organization(), visible, after.orElse(null), limit + 1), limit, one -> one.id()
                .text());
    }

    private static Optional<ConversationUsecase> usecase(String name, RequestValidator validator) {
        Optional<ConversationUsecase> found = Arrays.stream(ConversationUsecase.values())
                .filter(usecase -> usecase.name().equals(name))
                .findFirst();
        if (found.isEmpty()) {
            validator.add(Violation.parameter("usecase", "'usecase' must be DEFAULT or WORKFLOW_EXECUTION."));
        }
        return found;
    }

    private static Optional<Integer> team(String text, RequestValidator validator) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException _) {
            validator.add(Violation.parameter("team_id", "'team_id' must be an integer."));
            return Optional.empty();
        }
    }
}
