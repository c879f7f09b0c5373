package dev.parley.workflow.instance.run;

import dev.parley.id.OrganizationId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.tool.ToolService;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.instance.core.InstanceEvent;
import dev.parley.workflow.instance.core.InstanceState;
import dev.parley.workflow.instance.core.Rejection;
import dev.parley.workflow.instance.core.TaskState;
import dev.parley.workflow.instance.core.ToolApprovals;
import dev.parley.workflow.instance.core.TransitionResult;
import dev.parley.workflow.instance.core.WaitingReason;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.ticket.TicketAction;
import dev.parley.workflow.ticket.TicketActions;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Passes people's answers to tickets to the engine, as events of the ticket's instance. */
@Singleton
public final class InstanceTicketActions implements TicketActions {
    private final Engine engine;
    private final OutputFiles files;
    private final ToolService tools;

    public InstanceTicketActions(Engine engine, OutputFiles files, ToolService tools) {
        this.tools = tools;
        this.engine = engine;
        this.files = files;
    }

    @Override
    public ActionResult act(OrganizationId organization, WorkflowInstanceId instance, TicketAction action) {
        List<Violation> violations = new ArrayList<>();
        TicketAction whole = action instanceof TicketAction.Complete complete
                ? withFiles(organization, instance, complete, violations)
                : action;
        if (!violations.isEmpty()) {
            return new Invalid(violations);
        }
        TransitionResult outcome;
        try {
            outcome = engine.apply(organization, instance, event(whole), null).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ApiProblem problem ? problem : e;
        }
        return outcome instanceof Rejection refusal
                ? new ActionRejected(refusal.status().name(), refusal.detail())
                : new Done();
    }

    /** The answer with its files moved to the media storage, like files of other tasks. */
    private TicketAction withFiles(
            OrganizationId organization,
            WorkflowInstanceId instance,
            TicketAction.Complete complete,
            List<Violation> violations) {
        Optional<StoredInstance> found = engine.find(organization, instance);
        Task task = found.map(one -> one.state().plan().task(complete.task())).orElse(null);
        if (found.isEmpty() || task == null) {
            return complete;
        }
        if (isApproval(found.get().state(), complete)) {
            violations.addAll(checkArguments(organization, found.get().state(), complete));
            return complete;
        }
        try {
            return new TicketAction.Complete(
                    complete.task(),
                    complete.attempt(),
                    complete.ruleType(),
                    files.moved(found.get().header(), task, complete.answer(), violations),
                    complete.by());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("The file could not be moved. Nothing was changed.", Duration.ofSeconds(1));
        }
    }

    private static boolean isApproval(InstanceState state, TicketAction.Complete complete) {
        TaskState waiting = state.tasks().withAttempt(state.plan().number(complete.task()), complete.attempt());
        return waiting != null && waiting.waitingFor() == WaitingReason.TOOL_APPROVAL;
    }

    /** Edited arguments must fit the tool's schema, as it is now. */
    private List<Violation> checkArguments(
            OrganizationId organization, InstanceState state, TicketAction.Complete complete) {
        TaskState waiting = state.tasks().withAttempt(state.plan().number(complete.task()), complete.attempt());
        PendingToolCall call = waiting == null ? null : waiting.call();
        if (call == null || !(complete.answer().get(ToolApprovals.ARGUMENTS) instanceof Map<?, ?> edited)) {
            return List.of();
        }
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        edited.forEach((name, value) -> arguments.put(String.valueOf(name), value));
        return tools.find(organization, call.toolId())
                .map(tool -> tool.check(arguments, "/answer/" + ToolApprovals.ARGUMENTS))
                .orElse(List.of());
    }

    private static InstanceEvent event(TicketAction action) {
        boolean exception = action.ruleType() == RuleType.EXCEPTION;
        return switch (action) {
            case TicketAction.Complete complete ->
                exception
                        ? new InstanceEvent.ExceptionSupplied(
                                complete.task(), complete.attempt(), complete.answer(), complete.by())
                        : new InstanceEvent.TicketCompleted(
                                complete.task(), complete.attempt(), complete.answer(), complete.by());
            case TicketAction.Reject reject ->
                exception
                        ? new InstanceEvent.ExceptionRaised(
                                reject.task(), reject.attempt(), reject.reason(), reject.by())
                        : new InstanceEvent.TicketRejected(
                                reject.task(), reject.attempt(), reject.reason(), reject.by());
            case TicketAction.RetryTask retry ->
                new InstanceEvent.ExceptionRetry(retry.task(), retry.attempt(), retry.by());
        };
    }
}
