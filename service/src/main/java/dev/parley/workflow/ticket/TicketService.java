package dev.parley.workflow.ticket;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.OrganizationCounters;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.core.TicketOperation;
import dev.parley.workflow.ticket.core.TicketState;
import dev.parley.workflow.ticket.core.TicketTransition;
import dev.parley.workflow.ticket.mail.TicketMail;
import dev.parley.workflow.ticket.mail.TicketReminderJob;
import dev.parley.workflow.ticket.mail.TicketText;
import dev.parley.workflow.ticket.store.NewTicket;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketChange.TicketChangeKind;
import dev.parley.workflow.ticket.store.TicketDetails;
import dev.parley.workflow.ticket.store.TicketStore;
import dev.parley.workflow.ticket.store.TicketStore.ChangedTicket;
import dev.parley.workflow.ticket.store.ToolCallDetails;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Changes tickets. Every change locks the ticket's row, applies {@link TicketTransition}, and writes ticket, inboxes and
 * history in one transaction. An engine opens and closes tickets within its own.
 */
@Singleton
public final class TicketService {
    private static final Logger LOG = Logger.getLogger(TicketService.class);

    private final Database database;
    private final TicketStore statements;
    private final OrganizationCounters counters;
    private final Clock clock;
    private final TicketEvents events;
    private final TicketMail mail;

    TicketService(Database database, Clock clock, TicketEvents events, TicketMail mail) {
        this.database = database;
        this.statements = database.statements(TicketStore.class);
        this.counters = database.statements(OrganizationCounters.class);
        this.clock = clock;
        this.events = events;
        this.mail = mail;
    }

    /** The changes of an operation other than the state. */
    private record TicketEdit(
            TicketChangeKind kind,
            @Nullable TicketAssignee assignee,
            @Nullable String detail,
            List<UserId> mentions) {
        static TicketEdit of(TicketChangeKind kind) {
            return new TicketEdit(kind, null, null, List.of());
        }
    }

    /**
     * An opened ticket.
     *
     * @param replaced the rejected or retried ticket of the same task that it replaces
     */
    public record Opened(TicketId id, Optional<TicketId> replaced) {}

    /** Opens a ticket in the engine's transaction; returns the existing one if the attempt already has one. */
    public Opened open(OrganizationId organization, NewTicket ticket, Instant at) {
        Optional<TicketId> before =
                statements.find(organization, ticket.origin(), ticket.ruleType().text());
        if (before.isPresent()) {
            return new Opened(before.get(), Optional.empty());
        }
        TicketId id = TicketId.next();
        Optional<Ticket> replaced = statements.lockReplaced(organization, ticket.origin());
        int number = counters.next(organization, "ticket");
        statements.insert(
                organization,
                id,
                number,
                ticket,
                TicketText.preview(ticket.inputs()),
                TicketText.searchable(number, ticket),
                replaced.map(Ticket::id),
                TicketReminderJob.firstReminder(at, ticket.dueAt()),
                at);
        statements.insertAssignees(organization, id, ticket.assignees());
        // The new ticket's mail announces both.
        replaced.ifPresent(old -> statements.replace(organization, old.id(), id, id.text(), at));
        mail.created(organization, id, replaced);
        return new Opened(id, replaced.map(Ticket::id));
    }

    /**
     * Ends the open ticket of a task's attempt in the engine's transaction, regardless of the claim. A missing one is
     * ignored and logged.
     *
     * @param answer the values of the form by field name; null for none
     * @param reason why it was rejected or closed; null otherwise
     * @return the ticket; empty if none was open
     */
    public Optional<TicketId> close(
            OrganizationId organization,
            WorkflowInstanceId instance,
            TaskId task,
            int attempt,
            TicketEnd end,
            String by,
            @Nullable Map<String, @Nullable Object> answer,
            @Nullable String reason,
            @Nullable ToolCallDetails approved,
            Instant at) {
        Optional<Ticket> open = statements.lockOpen(organization, instance, task.value(), attempt);
        Optional<TicketState> ended = open.flatMap(ticket -> TicketTransition.end(ticket.state(), end));
        if (open.isEmpty() || ended.isEmpty()) {
            LOG.infof("Instance %s ends a ticket of task '%s' that is not open; ignored", instance.text(), task);
            return Optional.empty();
        }
        TicketId id = open.get().id();
        var edit = new TicketEdit(TicketChangeKind.of(end), null, reason, List.of());
        var _ = write(organization, open.get(), ended.get(), edit, by, at);
        mail.ended(organization, statements.end(organization, id, answer, reason, by, approved), end, by, reason);
        return Optional.of(id);
    }

    /** The numbers of tickets; deleted ones are absent. */
    public Map<TicketId, Integer> numbers(OrganizationId organization, List<TicketId> ids) {
        return statements.numbers(organization, ids);
    }

    /** The newest ticket of each task of an instance. */
    public Map<TaskId, TicketId> ofInstance(OrganizationId organization, WorkflowInstanceId instance) {
        return statements.ofInstance(organization, instance);
    }

    /** A ticket, if the user may see it: 404 if the organization does not have it, 403 for other members'. */
    public TicketDetails see(OrganizationId organization, TicketId id, TicketActor actor) {
        TicketDetails found = find(organization, id);
        requireAllowed(found.ticket(), actor);
        return found;
    }

    /** The ticket as it is now; 404 if the organization does not have it. */
    public TicketDetails find(OrganizationId organization, TicketId id) {
        return statements.details(organization, id).orElseThrow(() -> ApiProblem.notFound("ticket"));
    }

    private static void requireAllowed(Ticket ticket, TicketActor actor) {
        if (!actor.sees(ticket)) {
            throw ApiProblem.of(
                    ProblemKind.FORBIDDEN,
                    "The ticket is for those to whom it is assigned, for their teams, and for admins and owners.");
        }
    }

    /**
     * The ticket, if the user may answer it now: as {@link #see}, and 409 if another user claimed it or it is not open.
     */
    public TicketDetails answerable(OrganizationId organization, TicketId id, TicketActor actor) {
        TicketDetails found = see(organization, id, actor);
        apply(found.ticket(), TicketOperation.ANSWER, actor);
        return found;
    }

    /** Claims the ticket; claiming it again changes nothing. */
    public TicketDetails claim(OrganizationId organization, TicketId id, TicketActor actor) {
        return change(organization, id, actor, TicketOperation.CLAIM, TicketEdit.of(TicketChangeKind.CLAIMED));
    }

    /** Claims the ticket in place of the user who has claimed it; for admins and owners. */
    public TicketDetails takeOver(OrganizationId organization, TicketId id, TicketActor actor) {
        return change(organization, id, actor, TicketOperation.TAKE_OVER, TicketEdit.of(TicketChangeKind.TAKEN_OVER));
    }

    public TicketDetails release(OrganizationId organization, TicketId id, TicketActor actor) {
        return change(organization, id, actor, TicketOperation.RELEASE, TicketEdit.of(TicketChangeKind.RELEASED));
    }

    /** Assigns the ticket to an existing user or team instead of the previous assignees. */
    public TicketDetails reassign(OrganizationId organization, TicketId id, TicketActor actor, TicketAssignee to) {
        var edit = new TicketEdit(TicketChangeKind.REASSIGNED, to, null, List.of());
        return change(organization, id, actor, TicketOperation.REASSIGN, edit);
    }

    /**
     * Adds a comment.
     *
     * @param mentions members who may see the ticket
     */
    public TicketDetails comment(
            OrganizationId organization, TicketId id, TicketActor actor, String text, List<UserId> mentions) {
        var edit = new TicketEdit(TicketChangeKind.COMMENTED, null, text, mentions);
        return change(organization, id, actor, TicketOperation.COMMENT, edit);
    }

    /** A 409 with the ticket's status. */
    public static ApiProblem conflict(Ticket ticket, String detail) {
        return ApiProblem.of(ProblemKind.WRONG_STATUS, detail)
                .with("status", ticket.status().name());
    }

    private TicketDetails change(
            OrganizationId organization, TicketId id, TicketActor actor, TicketOperation operation, TicketEdit edit) {
        return database.transaction(() -> {
            Ticket ticket = statements.lock(organization, id).orElseThrow(() -> ApiProblem.notFound("ticket"));
            requireAllowed(ticket, actor);
            TicketState state = apply(ticket, operation, actor);
            boolean claims = operation == TicketOperation.CLAIM || operation == TicketOperation.TAKE_OVER;
            if (!claims || !state.equals(ticket.state())) {
                ChangedTicket changed = write(organization, ticket, state, edit, actor.by(), clock.instant());
                mail.updated(organization, changed, edit.kind(), "", actor.by(), edit.detail(), edit.mentions());
                events.updated(organization, changed.ticket());
            }
            return statements.details(organization, id).orElseThrow();
        });
    }

    private static TicketState apply(Ticket ticket, TicketOperation operation, TicketActor actor) {
        return switch (TicketTransition.apply(ticket.state(), operation, actor.user(), actor.manages())) {
            case TicketTransition.OperationAccepted accepted -> accepted.state();
            case TicketTransition.OperationRejected rejected -> throw conflict(ticket, rejected.reason());
        };
    }

    private ChangedTicket write(
            OrganizationId organization, Ticket before, TicketState state, TicketEdit edit, String by, Instant at) {
        TicketAssignee assignee = edit.assignee();
        String from = null;
        String to = null;
        if (assignee != null) {
            statements.deleteAssignees(organization, before.id());
            statements.insertAssignees(organization, before.id(), List.of(assignee));
            from = before.assignments().stream().map(TicketAssignee::text).collect(Collectors.joining(", "));
            to = assignee.text();
        } else if (before.status() != state.status()) {
            from = before.status().name();
            to = state.status().name();
        }
        var entry = new TicketStore.HistoryEntry(
                by,
                edit.kind().text(),
                from,
                to,
                edit.detail(),
                edit.mentions(),
                assignee == null ? null : List.of(assignee));
        return statements.update(organization, before.id(), state, entry, at);
    }
}
