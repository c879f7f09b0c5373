package dev.parley.workflow.instance.api;

import dev.parley.http.json.RawJson;
import dev.parley.http.json.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.tool.ToolService;
import dev.parley.workflow.attempt.core.PendingToolCall;
import dev.parley.workflow.definition.core.Task;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.AssignmentRule.RuleType;
import dev.parley.workflow.instance.core.ToolApprovals;
import dev.parley.workflow.instance.core.event.InstanceEvent;
import dev.parley.workflow.instance.core.event.Rejection;
import dev.parley.workflow.instance.core.event.TransitionResult;
import dev.parley.workflow.instance.core.state.TaskState;
import dev.parley.workflow.instance.core.state.WaitingReason;
import dev.parley.workflow.instance.run.Engine;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.run.OutputFiles;
import dev.parley.workflow.instance.store.StoredInstance;
import dev.parley.workflow.ticket.TicketService;
import dev.parley.workflow.ticket.store.FormField;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketChange.TicketChangeKind;
import dev.parley.workflow.ticket.store.TicketDetails;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Completes, rejects and retries tickets: checks the person's access and the values, and applies the answer to the
 * instance as an event. These checks may be outdated when the engine applies the event; its own check is authoritative,
 * and it ends the ticket in the transaction of the change, so that one of two concurrent answers succeeds.
 */
@Singleton
public final class TicketAnswers {
    private final TicketService tickets;
    private final Engine engine;
    private final OutputFiles files;
    private final ToolService tools;

    TicketAnswers(TicketService tickets, Engine engine, OutputFiles files, ToolService tools) {
        this.tickets = tickets;
        this.engine = engine;
        this.files = files;
        this.tools = tools;
    }

    /**
     * Submits the form: a Human task's outputs, the outputs of a task that failed, or the requested inputs. A 400 names
     * each invalid value under {@code /answer}. The same answer again by the same person, who may have missed the
     * response, returns the ticket.
     */
    public TicketDetails complete(
            OrganizationId organization, TicketId id, TicketActor actor, Map<String, @Nullable Object> values) {
        try {
            TicketDetails details = tickets.answerable(organization, id, actor);
            Ticket ticket = details.ticket();
            Map<String, @Nullable Object> answer =
                    stored(organization, ticket, FormField.check(details.form(), values));
            int attempt = ticket.origin().attempt();
            return apply(
                    organization,
                    ticket,
                    isException(ticket)
                            ? new InstanceEvent.ExceptionSupplied(task(ticket), attempt, answer, actor.by())
                            : new InstanceEvent.TicketCompleted(task(ticket), attempt, answer, actor.by()));
        } catch (ApiProblem problem) {
            if (problem.kind().isConflict()) {
                TicketDetails details = tickets.find(organization, id);
                if (isRepeat(details, actor, values)) {
                    return details;
                }
            }
            throw problem;
        }
    }

    private static boolean isRepeat(TicketDetails details, TicketActor actor, Map<String, @Nullable Object> values) {
        RawJson answer = details.answer();
        return answer != null
                && details.history().stream()
                        .anyMatch(change -> change.change() == TicketChangeKind.COMPLETED
                                && change.by().equals(actor.by()))
                && isSame(answer, details.form(), values);
    }

    private static boolean isSame(RawJson answer, List<FormField> form, Map<String, @Nullable Object> values) {
        try {
            return StrictJson.isSame(answer, FormField.check(form, values));
        } catch (ApiProblem _) {
            return false; // Not a valid answer.
        }
    }

    /** Rejects the ticket, or raises the exception. */
    public TicketDetails reject(OrganizationId organization, TicketId id, TicketActor actor, String reason) {
        Ticket ticket = tickets.answerable(organization, id, actor).ticket();
        int attempt = ticket.origin().attempt();
        return apply(
                organization,
                ticket,
                isException(ticket)
                        ? new InstanceEvent.ExceptionRaised(task(ticket), attempt, reason, actor.by())
                        : new InstanceEvent.TicketRejected(task(ticket), attempt, reason, actor.by()));
    }

    /** Runs the failed task again; a 409 on a ticket of another kind. */
    public TicketDetails retry(OrganizationId organization, TicketId id, TicketActor actor) {
        Ticket ticket = tickets.answerable(organization, id, actor).ticket();
        if (!isException(ticket)) {
            throw TicketService.conflict(ticket, "The ticket is not about an exception.");
        }
        return apply(
                organization,
                ticket,
                new InstanceEvent.ExceptionRetry(task(ticket), ticket.origin().attempt(), actor.by()));
    }

    private TicketDetails apply(OrganizationId organization, Ticket ticket, InstanceEvent event) {
        TransitionResult result =
                InstanceService.join(engine.apply(organization, ticket.origin().workflowInstanceId(), event, null));
        // Another user may have reassigned it meanwhile; the response to this user is still the ticket.
        TicketDetails after = tickets.find(organization, ticket.id());
        if (result instanceof Rejection refusal) {
            throw TicketService.conflict(after.ticket(), refusal.detail())
                    .with("workflow_instance_status", refusal.status().name());
        }
        return after;
    }

    private static boolean isException(Ticket ticket) {
        return ticket.ruleType().equals(RuleType.EXCEPTION.text());
    }

    private static TaskId task(Ticket ticket) {
        return new TaskId(ticket.origin().taskId());
    }

    /** The answer with its files moved to the media storage, like files of other tasks. */
    private Map<String, @Nullable Object> stored(
            OrganizationId organization, Ticket ticket, Map<String, @Nullable Object> answer) {
        Optional<StoredInstance> found =
                engine.find(organization, ticket.origin().workflowInstanceId());
        Task task = found.map(one -> one.state().plan().task(task(ticket))).orElse(null);
        if (found.isEmpty() || task == null) {
            return answer;
        }
        StoredInstance instance = found.get();
        TaskState waiting = instance.state()
                .tasks()
                .withAttempt(
                        instance.state().plan().number(task.id()),
                        ticket.origin().attempt());
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> stored = answer;
        if (waiting != null && waiting.waitingFor() == WaitingReason.TOOL_APPROVAL) {
            violations.addAll(checkArguments(organization, waiting.call(), answer));
        } else {
            try {
                stored = files.moved(instance.header(), task, answer, violations);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw ApiProblem.unavailable(
                        "The file could not be moved. Nothing was changed.", Duration.ofSeconds(1));
            }
        }
        if (!violations.isEmpty()) {
            throw ApiProblem.invalid(violations);
        }
        return stored;
    }

    /** Edited arguments must fit the tool's schema, as it is now. */
    private List<Violation> checkArguments(
            OrganizationId organization, @Nullable PendingToolCall call, Map<String, @Nullable Object> answer) {
        if (call == null || !(answer.get(ToolApprovals.ARGUMENTS) instanceof Map<?, ?> edited)) {
            return List.of();
        }
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        edited.forEach((name, value) -> arguments.put(String.valueOf(name), value));
        return tools.find(organization, call.toolId())
                .map(tool -> tool.check(arguments, "/answer/" + ToolApprovals.ARGUMENTS))
                .orElse(List.of());
    }
}
