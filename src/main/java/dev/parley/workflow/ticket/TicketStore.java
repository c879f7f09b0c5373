package dev.parley.workflow.ticket;

import dev.parley.db.Database;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.organization.OrganizationCounters;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.workflow.definition.core.TaskId;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.core.TicketOperation;
import dev.parley.workflow.ticket.core.TicketState;
import dev.parley.workflow.ticket.core.TicketTransition;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The tables {@code ticket}, {@code ticket_assignee} and {@code ticket_history}. Every change locks the ticket's row,
 * applies {@link TicketTransition}, and writes ticket, inboxes and history in one transaction. An engine opens and
 * closes tickets within its own.
 */
@Singleton
public final class TicketStore {
    private static final Logger LOG = Logger.getLogger(TicketStore.class);

    private final Database database;
    private final Clock clock;
    private final TicketEvents events;
    private final TicketMail mail;

    TicketStore(Database database, Clock clock, TicketEvents events, TicketMail mail) {
        this.database = database;
        this.clock = clock;
        this.events = events;
        this.mail = mail;
    }

    /** The changes of an operation other than the state. */
    private record TicketEdit(
            TicketChange.TicketChangeKind kind,
            @Nullable TicketAssignee assignee,
            @Nullable String detail,
            List<UserId> mentions) {
        static TicketEdit of(TicketChange.TicketChangeKind kind) {
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
    public Opened open(Handle handle, OrganizationId organization, NewTicket ticket, Instant at) {
        Optional<TicketId> before = find(handle, organization, ticket);
        if (before.isPresent()) {
            return new Opened(before.get(), Optional.empty());
        }
        TicketId id = TicketId.next();
        Optional<Ticket> replaced = lockReplaced(handle, organization, ticket.origin());
        insert(handle, organization, id, ticket, replaced, at);
        putIntoInboxes(handle, organization, id, ticket.assignees());
        handle.createUpdate("""
                        INSERT INTO ticket_history (organization_id, ticket_id, seq, at, actor, change, to_value)
                        VALUES (:organization, :id, 1, :at, 'system', :change, 'OPEN')""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("at", at)
                .bind("change", TicketChange.TicketChangeKind.CREATED.text())
                .execute();
        replaced.ifPresent(old -> link(handle, organization, old.id(), id, at));
        mail.created(handle, organization, id, replaced);
        return new Opened(id, replaced.map(Ticket::id));
    }

    /**
     * The ticket of an earlier attempt that led to this one. While an instance is running, a task's ticket becomes
     * CLOSED only when error_policy RETRY replaces it, and an Exception ticket is resolved without an answer only when
     * the task is retried.
     */
    private static Optional<Ticket> lockReplaced(Handle handle, OrganizationId organization, TicketOrigin origin) {
        return handle.createQuery("""
                        SELECT %s FROM ticket t
                        WHERE t.organization_id = :organization AND t.workflow_instance_id = :instance
                          AND t.task_id = :task AND t.item IS NOT DISTINCT FROM :item AND t.replaced_by IS NULL
                          AND (t.status = 'CLOSED'
                              OR t.status = 'RESOLVED' AND t.rule_type = 'Exception' AND t.answer IS NULL)
                        ORDER BY t.attempt DESC LIMIT 1 FOR NO KEY UPDATE""".formatted(TicketRows.COLUMNS))
                .bind("organization", organization)
                .bind("instance", origin.workflowInstanceId())
                .bind("task", origin.taskId())
                .bind("item", origin.item())
                .map(TicketRows::ticket)
                .findFirst();
    }

    /** Records the new ticket's id on the old one. The new ticket's mail announces both, so this sends none. */
    private static void link(Handle handle, OrganizationId organization, TicketId replaced, TicketId by, Instant at) {
        handle.createUpdate("""
                        WITH changed AS (
                            UPDATE ticket SET replaced_by = :by, changes = changes + 1,
                                updated_at = greatest(updated_at, :at)
                            WHERE organization_id = :organization AND id = :id
                            RETURNING organization_id, id, changes, updated_at
                        )
                        INSERT INTO ticket_history (organization_id, ticket_id, seq, at, actor, change, to_value)
                        SELECT organization_id, id, changes, updated_at, 'system', :change, :to FROM changed""")
                .bind("organization", organization)
                .bind("id", replaced)
                .bind("by", by)
                .bind("at", at)
                .bind("change", TicketChange.TicketChangeKind.REPLACED.text())
                .bind("to", by.text())
                .execute();
    }

    private static void insert(
            Handle handle,
            OrganizationId organization,
            TicketId id,
            NewTicket ticket,
            Optional<Ticket> replaced,
            Instant at) {
        Instant remindAt = TicketReminderJob.firstReminder(at, ticket.dueAt());
        int number = OrganizationCounters.next(handle, organization, "ticket");
        handle.createUpdate("""
                        INSERT INTO ticket (organization_id, id, number, rule_type, title, description, status, priority,
                            assignments, workflow_id, workflow_version, workflow_name, workflow_instance_id,
                            conversation_id, task_id, task_name, item, attempt, test_run, exception, tool_call, form,
                            inputs, input_preview, search_text, changes, replaces, due_at, remind_at, created_at, updated_at)
                        VALUES (:organization, :id, :number, :ruleType, :title, :description, 'OPEN', :priority,
                            :assignments, :workflowId, :workflowVersion, :workflowName, :workflowInstanceId,
                            :conversationId, :taskId, :taskName, :item, :attempt, :testRun, :exception, :toolCall, :form,
                            :inputs, :inputPreview, :searchText, 1, :replaces, :dueAt, :remindAt, :at, :at)""")
                .bind("organization", organization)
                .bind("id", id)
                .bind("number", number)
                .bind("ruleType", ticket.ruleType().text())
                .bind("title", ticket.title())
                .bind("description", ticket.description())
                .bind("priority", ticket.priority().name())
                .bind("assignments", StrictJson.write(ticket.assignees()))
                .bindMethods(ticket.origin())
                .bind("exception", ticket.exception() == null ? null : StrictJson.write(ticket.exception()))
                .bind("toolCall", ticket.toolCall() == null ? null : StrictJson.write(ticket.toolCall()))
                .bind("form", StrictJson.write(ticket.form()))
                .bind("inputs", StrictJson.write(ticket.inputs()))
                .bind("inputPreview", TicketText.preview(ticket.inputs()))
                .bind("searchText", TicketText.searchable(number, ticket))
                .bind("replaces", replaced.map(Ticket::id))
                .bind("dueAt", ticket.dueAt())
                .bind("remindAt", remindAt)
                .bind("at", at)
                .execute();
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
            Handle handle,
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
        Optional<Ticket> open = handle.createQuery("""
                        SELECT %s FROM ticket t
                        WHERE t.organization_id = :organization AND t.workflow_instance_id = :instance
                          AND t.task_id = :task AND t.attempt = :attempt AND t.status IN ('OPEN', 'IN_PROGRESS')
                        FOR NO KEY UPDATE""".formatted(TicketRows.COLUMNS))
                .bind("organization", organization)
                .bind("instance", instance)
                .bind("task", task.value())
                .bind("attempt", attempt)
                .map(TicketRows::ticket)
                .findFirst();
        Optional<TicketState> ended = open.flatMap(ticket -> TicketTransition.end(ticket.state(), end));
        if (open.isEmpty() || ended.isEmpty()) {
            LOG.infof("Instance %s ends a ticket of task '%s' that is not open; ignored", instance.text(), task);
            return Optional.empty();
        }
        var edit = new TicketEdit(TicketChange.TicketChangeKind.of(end), null, reason, List.of());
        write(handle, organization, open.get(), ended.get(), edit, by, at);
        handle.createUpdate("""
                        UPDATE ticket SET answer = :answer, reason = :reason, resolved_by = :by, resolved_at = updated_at,
                            tool_call = coalesce(:approved, tool_call)
                        WHERE organization_id = :organization AND id = :id""")
                .bind("organization", organization)
                .bind("id", open.get().id())
                .bind("answer", answer == null ? null : StrictJson.write(answer))
                .bind("reason", reason)
                .bind("by", by)
                .bind("approved", approved == null ? null : StrictJson.write(approved))
                .execute();
        mail.ended(handle, organization, open.get().id(), end, by, reason);
        return Optional.of(open.get().id());
    }

    /** The newest ticket of each task of an instance. */
    public Map<TaskId, TicketId> ofInstance(OrganizationId organization, WorkflowInstanceId instance) {
        return database.with(handle -> ofInstance(handle, organization, instance));
    }

    /** The newest ticket of each task of an instance, as visible to a transaction. */
    public Map<TaskId, TicketId> ofInstance(Handle handle, OrganizationId organization, WorkflowInstanceId instance) {
        Map<TaskId, TicketId> tickets = new LinkedHashMap<>();
        handle.createQuery("""
                        SELECT task_id, id FROM ticket
                        WHERE organization_id = :organization AND workflow_instance_id = :instance
                        ORDER BY task_id, attempt, id""")
                .bind("organization", organization)
                .bind("instance", instance)
                .map(row -> Map.entry(row.getColumn("task_id", TaskId.class), row.getColumn("id", TicketId.class)))
                .forEach(ticket -> tickets.put(ticket.getKey(), ticket.getValue()));
        return tickets;
    }

    /** A ticket of the organization, for a user who has already acted on it. */
    Optional<TicketDetails> find(OrganizationId organization, TicketId id) {
        return database.with(handle -> TicketRows.details(handle, organization, id));
    }

    /** A ticket, if the user may see it: 404 if the organization does not have it, 403 for other members'. */
    public TicketDetails see(OrganizationId organization, TicketId id, TicketActor actor) {
        TicketDetails found = find(organization, id).orElseThrow(() -> ApiProblem.notFound("ticket"));
        requireAllowed(found.ticket(), actor);
        return found;
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
    TicketDetails answerable(OrganizationId organization, TicketId id, TicketActor actor) {
        TicketDetails found = see(organization, id, actor);
        apply(found.ticket(), TicketOperation.ANSWER, actor);
        return found;
    }

    /** Claims the ticket; claiming it again changes nothing. */
    public TicketDetails claim(OrganizationId organization, TicketId id, TicketActor actor) {
        return change(
                organization, id, actor, TicketOperation.CLAIM, TicketEdit.of(TicketChange.TicketChangeKind.CLAIMED));
    }

    /** Claims the ticket in place of the person who has claimed it; for admins and owners. */
    public TicketDetails takeOver(OrganizationId organization, TicketId id, TicketActor actor) {
        return change(
                organization,
                id,
                actor,
                TicketOperation.TAKE_OVER,
                TicketEdit.of(TicketChange.TicketChangeKind.TAKEN_OVER));
    }

    public TicketDetails release(OrganizationId organization, TicketId id, TicketActor actor) {
        return change(
                organization,
                id,
                actor,
                TicketOperation.RELEASE,
                TicketEdit.of(TicketChange.TicketChangeKind.RELEASED));
    }

    /** Assigns the ticket to an existing user or team instead of the previous assignees. */
    public TicketDetails reassign(OrganizationId organization, TicketId id, TicketActor actor, TicketAssignee to) {
        return change(
                organization,
                id,
                actor,
                TicketOperation.REASSIGN,
                new TicketEdit(TicketChange.TicketChangeKind.REASSIGNED, to, null, List.of()));
    }

    /**
     * Adds a comment.
     *
     * @param mentions members who may see the ticket
     */
    public TicketDetails comment(
            OrganizationId organization, TicketId id, TicketActor actor, String text, List<UserId> mentions) {
        return change(
                organization,
                id,
                actor,
                TicketOperation.COMMENT,
                new TicketEdit(TicketChange.TicketChangeKind.COMMENTED, null, text, mentions));
    }

    /** A 409 with the ticket's status. */
    static ApiProblem conflict(Ticket ticket, String detail) {
        return ApiProblem.of(ProblemKind.CONFLICT, detail)
                .with("status", ticket.status().name());
    }

    private TicketDetails change(
            OrganizationId organization, TicketId id, TicketActor actor, TicketOperation operation, TicketEdit edit) {
        return database.transaction(handle -> {
            Ticket ticket = lock(handle, organization, id).orElseThrow(() -> ApiProblem.notFound("ticket"));
            requireAllowed(ticket, actor);
            TicketState state = apply(ticket, operation, actor);
            boolean claims = operation == TicketOperation.CLAIM || operation == TicketOperation.TAKE_OVER;
            if (!claims || !state.equals(ticket.state())) {
                write(handle, organization, ticket, state, edit, actor.by(), clock.instant());
                mail.updated(handle, organization, id, edit.kind(), actor.by(), edit.detail(), edit.mentions());
                events.updated(handle, organization, ticket);
            }
            return TicketRows.details(handle, organization, id).orElseThrow();
        });
    }

    private static TicketState apply(Ticket ticket, TicketOperation operation, TicketActor actor) {
        return switch (TicketTransition.apply(ticket.state(), operation, actor.user(), actor.manages())) {
            case TicketTransition.OperationAccepted accepted -> accepted.state();
            case TicketTransition.OperationRejected rejected -> throw conflict(ticket, rejected.reason());
        };
    }

    /** Writes ticket, inboxes and history; the row is locked. Times never run backwards within a ticket. */
    private static void write(
            Handle handle,
            OrganizationId organization,
            Ticket before,
            TicketState state,
            TicketEdit edit,
            String by,
            Instant at) {
        TicketAssignee assignee = edit.assignee();
        boolean statusChanged = before.status() != state.status();
        if (assignee != null) {
            handle.createUpdate("DELETE FROM ticket_assignee WHERE organization_id = :organization AND ticket_id = :id")
                    .bind("organization", organization)
                    .bind("id", before.id())
                    .execute();
            putIntoInboxes(handle, organization, before.id(), List.of(assignee));
        }
        handle.createUpdate("""
                        WITH changed AS (
                            UPDATE ticket SET status = :status, claimed_by = :claimedBy,
                                assignments = coalesce(:assignments, assignments), changes = changes + 1,
                                updated_at = greatest(updated_at, :at)
                            WHERE organization_id = :organization AND id = :id
                            RETURNING organization_id, id, changes, updated_at
                        ), inboxes AS (
                            UPDATE ticket_assignee a SET status = :status FROM changed c
                            WHERE a.organization_id = c.organization_id AND a.ticket_id = c.id AND a.status <> :status
                        )
                        INSERT INTO ticket_history (organization_id, ticket_id, seq, at, actor, change, from_value,
                            to_value, detail, mentions)
                        SELECT organization_id, id, changes, updated_at, :by, :change, :from, :to, :detail, :mentions
                        FROM changed""")
                .bind("organization", organization)
                .bind("id", before.id())
                .bind("status", state.status().name())
                .bind(
                        "claimedBy",
                        state.claimedBy() == null ? null : state.claimedBy().value())
                .bind("assignments", assignee == null ? null : StrictJson.write(List.of(assignee)))
                .bind("at", at)
                .bind("by", by)
                .bind("change", edit.kind().text())
                .bind(
                        "from",
                        assignee != null
                                ? names(before)
                                : statusChanged ? before.status().name() : null)
                .bind(
                        "to",
                        assignee != null
                                ? assignee.text()
                                : statusChanged ? state.status().name() : null)
                .bind("detail", edit.detail())
                .bindArray(
                        "mentions",
                        UUID.class,
                        edit.mentions().stream().map(UserId::value).toList())
                .execute();
    }

    private static String names(Ticket ticket) {
        return ticket.assignments().stream().map(TicketAssignee::text).collect(Collectors.joining(", "));
    }

    private static void putIntoInboxes(
            Handle handle, OrganizationId organization, TicketId id, List<TicketAssignee> to) {
        var batch = handle.prepareBatch("""
                INSERT INTO ticket_assignee (organization_id, ticket_id, assignment_type, assignee, status)
                VALUES (:organization, :id, :type, :assignee, 'OPEN') ON CONFLICT DO NOTHING""");
        for (TicketAssignee assignee : to) {
            batch.bind("organization", organization)
                    .bind("id", id)
                    .bind("type", assignee.assignmentType())
                    .bind("assignee", assignee.assigneeId())
                    .add();
        }
        batch.execute();
    }

    private static Optional<Ticket> lock(Handle handle, OrganizationId organization, TicketId id) {
        return handle.createQuery("""
                        SELECT %s FROM ticket t WHERE t.organization_id = :organization AND t.id = :id
                        FOR NO KEY UPDATE""".formatted(TicketRows.COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .map(TicketRows::ticket)
                .findOne();
    }

    private static Optional<TicketId> find(Handle handle, OrganizationId organization, NewTicket ticket) {
        return handle.createQuery("""
                        SELECT id FROM ticket
                        WHERE organization_id = :organization AND workflow_instance_id = :instance
                          AND task_id = :task AND attempt = :attempt AND rule_type = :ruleType""")
                .bind("organization", organization)
                .bind("instance", ticket.origin().workflowInstanceId())
                .bind("task", ticket.origin().taskId())
                .bind("attempt", ticket.origin().attempt())
                .bind("ruleType", ticket.ruleType().text())
                .mapTo(UUID.class)
                .findOne()
                .map(TicketId::new);
    }
}
