package dev.parley.workflow.ticket;

import dev.parley.db.Database;
import dev.parley.http.RawJson;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.definition.core.JsonPointer;
import dev.parley.workflow.definition.core.TaskId;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Completes, rejects and retries tickets: checks the person's access and the values, and passes the answer to the
 * instance. These checks may be outdated when the instance applies the answer; its own check, under its lock, is
 * authoritative.
 */
@Singleton
public final class TicketAnswers {
    private static final JsonPointer ANSWER = JsonPointer.ROOT.to("answer");

    private final TicketStore store;
    private final TicketStatements statements;
    private final TicketActions actions;

    TicketAnswers(TicketStore store, Database database, TicketActions actions) {
        this.store = store;
        this.statements = database.statements(TicketStatements.class);
        this.actions = actions;
    }

    /**
     * Submits the form; a 400 names each invalid value under {@code /answer}. The same answer again by the same person,
     * who may have missed the response, returns the ticket.
     */
    public TicketDetails complete(
            OrganizationId organization, TicketId id, TicketActor actor, Map<String, @Nullable Object> values) {
        try {
            return submit(organization, id, actor, values);
        } catch (ApiProblem problem) {
            if (problem.kind() != ProblemKind.CONFLICT) {
                throw problem;
            }
            return statements
                    .details(organization, id)
                    .filter(details -> isRepeat(details, actor, values))
                    .orElseThrow(() -> problem);
        }
    }

    private static boolean isRepeat(TicketDetails details, TicketActor actor, Map<String, @Nullable Object> values) {
        RawJson answer = details.answer();
        return answer != null
                && details.history().stream()
                        .anyMatch(change -> change.change() == TicketChange.TicketChangeKind.COMPLETED
                                && change.by().equals(actor.by()))
                && isSame(answer, details.form(), values);
    }

    private static boolean isSame(RawJson answer, List<FormField> form, Map<String, @Nullable Object> values) {
        try {
            return StrictJson.isSame(answer, check(form, values));
        } catch (ApiProblem _) {
            return false; // Not a valid answer.
        }
    }

    private TicketDetails submit(
            OrganizationId organization, TicketId id, TicketActor actor, Map<String, @Nullable Object> values) {
        TicketDetails details = store.answerable(organization, id, actor);
        Map<String, @Nullable Object> answer = check(details.form(), values);
        Ticket ticket = details.ticket();
        return act(
                organization,
                ticket,
                new TicketAction.Complete(
                        task(ticket), ticket.origin().attempt(), ruleType(ticket), answer, actor.by()));
    }

    /** Rejects the ticket, or raises the exception. */
    public TicketDetails reject(OrganizationId organization, TicketId id, TicketActor actor, String reason) {
        Ticket ticket = store.answerable(organization, id, actor).ticket();
        return act(
                organization,
                ticket,
                new TicketAction.Reject(task(ticket), ticket.origin().attempt(), ruleType(ticket), reason, actor.by()));
    }

    /** Runs the failed task again; a 409 on a ticket of another kind. */
    public TicketDetails retry(OrganizationId organization, TicketId id, TicketActor actor) {
        Ticket ticket = store.answerable(organization, id, actor).ticket();
        if (ruleType(ticket) != RuleType.EXCEPTION) {
            throw TicketStore.conflict(ticket, "The ticket is not about an exception.");
        }
        return act(
                organization,
                ticket,
                new TicketAction.RetryTask(task(ticket), ticket.origin().attempt(), actor.by()));
    }

    private TicketDetails act(OrganizationId organization, Ticket ticket, TicketAction action) {
        var result = actions.act(organization, ticket.origin().workflowInstanceId(), action);
        // Another user may have reassigned it meanwhile; the response to this user is still the ticket.
        TicketDetails after =
                statements.details(organization, ticket.id()).orElseThrow(() -> ApiProblem.notFound("ticket"));
        return switch (result) {
            case TicketActions.Done _ -> after;
            case TicketActions.Invalid invalid -> throw ApiProblem.invalid(invalid.violations());
            case TicketActions.ActionRejected refused ->
                throw TicketStore.conflict(after.ticket(), refused.detail())
                        .with("workflow_instance_status", refused.instanceStatus());
        };
    }

    /** The coerced values in the order of the form; rejects values that are not in the form. */
    static Map<String, @Nullable Object> check(List<FormField> form, Map<String, @Nullable Object> values) {
        List<Violation> violations = new ArrayList<>();
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        for (FormField field : form) {
            Object value = field.check(values.get(field.name()), ANSWER.to(field.name()), violations);
            if (value != null) {
                answer.put(field.name(), value);
            }
        }
        for (String name : values.keySet()) {
            if (form.stream().noneMatch(field -> field.name().equals(name))) {
                violations.add(new Violation(
                        Violation.UNKNOWN_FIELD, ANSWER.to(name).toString(), "The form does not ask for this value."));
            }
        }
        if (!violations.isEmpty()) {
            throw ApiProblem.invalid(violations);
        }
        return answer;
    }

    /** The rule type with which a ticket was opened. */
    private static RuleType ruleType(Ticket ticket) {
        return Stream.of(RuleType.values())
                .filter(type -> type.text().equals(ticket.ruleType()))
                .findFirst()
                .orElseThrow();
    }

    private static TaskId task(Ticket ticket) {
        return new TaskId(ticket.origin().taskId());
    }
}
