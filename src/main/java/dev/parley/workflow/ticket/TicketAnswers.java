package dev.parley.workflow.ticket;

import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.TaskId;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Completing, rejecting and retrying: checks that the person may, and that the values suit, and hands the answer to the
 * instance. What is checked here may be outdated when the instance applies it; its own look, under its lock, decides.
 */
@Singleton
public final class TicketAnswers {
    private static final JsonPointer ANSWER = JsonPointer.ROOT.to("answer");

    private final TicketStore store;
    private final TicketActions actions;

    TicketAnswers(TicketStore store, TicketActions actions) {
        this.store = store;
        this.actions = actions;
    }

    /** The form is filled in; a 400 names each value that does not suit under {@code /answer}. */
    public TicketDetails complete(
            OrganizationId organization, TicketId id, TicketActor actor, Map<String, @Nullable Object> given) {
        TicketDetails details = store.answerable(organization, id, actor);
        Map<String, @Nullable Object> answer = check(details.form(), given);
        Ticket ticket = details.ticket();
        return act(
                organization,
                ticket,
                new TicketAction.Complete(
                        task(ticket), ticket.origin().attempt(), TicketRows.ruleType(ticket), answer, actor.by()));
    }

    /** The person refuses, or raises the exception. */
    public TicketDetails reject(OrganizationId organization, TicketId id, TicketActor actor, String reason) {
        Ticket ticket = store.answerable(organization, id, actor).ticket();
        return act(
                organization,
                ticket,
                new TicketAction.Reject(
                        task(ticket), ticket.origin().attempt(), TicketRows.ruleType(ticket), reason, actor.by()));
    }

    /** The task that failed runs again; a 409 on a ticket of another kind. */
    public TicketDetails retry(OrganizationId organization, TicketId id, TicketActor actor) {
        Ticket ticket = store.answerable(organization, id, actor).ticket();
        if (TicketRows.ruleType(ticket) != RuleType.EXCEPTION) {
            throw TicketStore.conflict(ticket, "The ticket is not about an exception.");
        }
        return act(
                organization,
                ticket,
                new TicketAction.RetryTask(task(ticket), ticket.origin().attempt(), actor.by()));
    }

    private TicketDetails act(OrganizationId organization, Ticket ticket, TicketAction action) {
        var result = actions.act(organization, ticket.origin().workflowInstanceId(), action);
        // Somebody else may have reassigned it meanwhile; who has acted is answered all the same.
        TicketDetails after = store.find(organization, ticket.id()).orElseThrow(() -> ApiProblem.notFound("ticket"));
        return switch (result) {
            case TicketActions.Done _ -> after;
            case TicketActions.Invalid invalid -> throw ApiProblem.invalid(invalid.faults());
            case TicketActions.ActionRejected refused ->
                throw TicketStore.conflict(after.ticket(), refused.sentence())
                        .with("workflow_instance_status", refused.instanceStatus());
        };
    }

    /** The coerced values in the order of the form; what it does not ask for is refused. */
    static Map<String, @Nullable Object> check(List<FormField> form, Map<String, @Nullable Object> given) {
        List<Violation> faults = new ArrayList<>();
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        for (FormField field : form) {
            Object value = field.check(given.get(field.name()), ANSWER.to(field.name()), faults);
            if (value != null) {
                answer.put(field.name(), value);
            }
        }
        for (String name : given.keySet()) {
            if (form.stream().noneMatch(field -> field.name().equals(name))) {
                faults.add(new Violation(
                        Violation.UNKNOWN_FIELD, ANSWER.to(name).toString(), "The form does not ask for this value."));
            }
        }
        if (!faults.isEmpty()) {
            throw ApiProblem.invalid(faults);
        }
        return answer;
    }

    private static TaskId task(Ticket ticket) {
        return new TaskId(ticket.origin().taskId());
    }
}
