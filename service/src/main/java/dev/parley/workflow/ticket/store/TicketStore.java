package dev.parley.workflow.ticket.store;

import dev.parley.http.json.JsonColumns;
import dev.parley.http.json.RawJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.ticket.core.TicketState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jdbi.v3.sqlobject.config.KeyColumn;
import org.jdbi.v3.sqlobject.config.RegisterArgumentFactory;
import org.jdbi.v3.sqlobject.config.RegisterColumnMapperFactory;
import org.jdbi.v3.sqlobject.config.ValueColumn;
import org.jdbi.v3.sqlobject.customizer.AllowUnusedBindings;
import org.jdbi.v3.sqlobject.customizer.BindMethods;
import org.jdbi.v3.sqlobject.customizer.Define;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jspecify.annotations.Nullable;

/** The tables {@code ticket}, {@code ticket_assignee} and {@code ticket_history}. */
@RegisterColumnMapperFactory(JsonColumns.class)
@RegisterArgumentFactory(JsonColumns.class)
public interface TicketStore {
    /** Of a {@link Ticket}, from {@code ticket t}. */
    String COLUMNS = """
             t.id, t.number, t.rule_type, t.title, t.description, t.status, t.priority, t.assignments,
            t.assignments::jsonb -> 0 AS assignee, t.claimed_by, t.workflow_id, t.workflow_version, t.workflow_name,
            t.workflow_instance_id, t.conversation_id, t.task_id, t.task_name, t.item, t.attempt, t.test_run, t.exception,
            t.tool_call, t.reason, t.replaces, t.replaced_by, t.due_at, t.created_at, t.updated_at, t.resolved_by,
            t.resolved_at\s""";

    String ONE = "FROM ticket t WHERE t.organization_id = :organization AND t.id = :id";

    /** A ticket without its history. */
    record TicketRow(
            @Nested Ticket ticket,
            List<FormField> form,
            RawJson inputs,
            @Nullable RawJson answer) {}

    /** A ticket after the change with that number in its history. */
    record ChangedTicket(@Nested Ticket ticket, int changes, Map<String, @Nullable Object> inputs) {}

    /** An entry of a history, and what it makes of the assignees; null if they stay. */
    record HistoryEntry(
            String by,
            String change,
            @Nullable String from,
            @Nullable String to,
            @Nullable String detail,
            List<UserId> mentions,
            @Nullable List<TicketAssignee> assignments) {}

    @SqlQuery("""
            SELECT id FROM ticket
            WHERE organization_id = :organization AND workflow_instance_id = :workflowInstanceId AND task_id = :taskId
              AND attempt = :attempt AND rule_type = :ruleType""")
    Optional<TicketId> find(OrganizationId organization, @BindMethods TicketOrigin origin, String ruleType);

    /**
     * The ticket of an earlier attempt that led to a new one. While an instance is running, a task's ticket becomes
     * CLOSED only when error_policy RETRY replaces it, and an Exception ticket is resolved without an answer only when
     * the task is retried.
     */
    @SqlQuery("SELECT" + COLUMNS + """
            FROM ticket t
            WHERE t.organization_id = :organization AND t.workflow_instance_id = :workflowInstanceId
              AND t.task_id = :taskId AND t.item IS NOT DISTINCT FROM :item AND t.replaced_by IS NULL
              AND (t.status = 'CLOSED' OR t.status = 'RESOLVED' AND t.rule_type = 'Exception' AND t.answer IS NULL)
            ORDER BY t.attempt DESC LIMIT 1 FOR NO KEY UPDATE""")
    Optional<Ticket> lockReplaced(OrganizationId organization, @BindMethods TicketOrigin origin);

    /** Inserts an open ticket and its history. */
    @SqlUpdate("""
            WITH opened AS (
                INSERT INTO ticket (organization_id, id, number, rule_type, title, description, status, priority,
                    assignments, workflow_id, workflow_version, workflow_name, workflow_instance_id, conversation_id,
                    task_id, task_name, item, attempt, test_run, exception, tool_call, form, inputs, input_preview,
                    search_text, changes, replaces, due_at, remind_at, created_at, updated_at)
                VALUES (:organization, :id, :number, :ruleType.text, :title, :description, 'OPEN', :priority, :assignees,
                    :origin.workflowId, :origin.workflowVersion, :origin.workflowName, :origin.workflowInstanceId,
                    :origin.conversationId, :origin.taskId, :origin.taskName, :origin.item, :origin.attempt,
                    :origin.testRun, :exception, :toolCall, :form, :inputs, :inputPreview, :searchText, 1, :replaces,
                    :dueAt, :remindAt, :at, :at)
                RETURNING organization_id, id, created_at)
            INSERT INTO ticket_history (organization_id, ticket_id, seq, at, actor, change, to_value)
            SELECT organization_id, id, 1, created_at, 'system', 'created', 'OPEN' FROM opened""")
    void insert(
            OrganizationId organization,
            TicketId id,
            int number,
            @BindMethods NewTicket ticket,
            String inputPreview,
            String searchText,
            Optional<TicketId> replaces,
            @Nullable Instant remindAt,
            Instant at);

    @SqlBatch("""
            INSERT INTO ticket_assignee (organization_id, ticket_id, assignment_type, assignee, status)
            VALUES (:organization, :id, :assignmentType, :assigneeId, 'OPEN') ON CONFLICT DO NOTHING""")
    void insertAssignees(OrganizationId organization, TicketId id, @BindMethods List<TicketAssignee> assignees);

    @SqlUpdate("DELETE FROM ticket_assignee WHERE organization_id = :organization AND ticket_id = :id")
    void deleteAssignees(OrganizationId organization, TicketId id);

    /** Records the new ticket's id on the one that it replaces. */
    @SqlUpdate("""
            WITH changed AS (
                UPDATE ticket SET replaced_by = :by, changes = changes + 1, updated_at = greatest(updated_at, :at)
                WHERE organization_id = :organization AND id = :replaced
                RETURNING organization_id, id, changes, updated_at)
            INSERT INTO ticket_history (organization_id, ticket_id, seq, at, actor, change, to_value)
            SELECT organization_id, id, changes, updated_at, 'system', 'replaced', :to FROM changed""")
    void replace(OrganizationId organization, TicketId replaced, TicketId by, String to, Instant at);

    @SqlQuery("SELECT" + COLUMNS + """
            FROM ticket t
            WHERE t.organization_id = :organization AND t.workflow_instance_id = :instance AND t.task_id = :task
              AND t.attempt = :attempt AND t.status IN ('OPEN', 'IN_PROGRESS')
            LIMIT 1 FOR NO KEY UPDATE""")
    Optional<Ticket> lockOpen(OrganizationId organization, WorkflowInstanceId instance, String task, int attempt);

    /** Writes the end of a ticket that {@link #update} has changed. */
    @SqlQuery("""
            UPDATE ticket t SET answer = :answer, reason = :reason, resolved_by = :by, resolved_at = updated_at,
                tool_call = coalesce(:approved, tool_call)
            WHERE t.organization_id = :organization AND t.id = :id
            RETURNING t.changes, t.inputs,""" + COLUMNS)
    ChangedTicket end(
            OrganizationId organization,
            TicketId id,
            @Nullable Map<String, @Nullable Object> answer,
            @Nullable String reason,
            String by,
            @Nullable ToolCallDetails approved);

    /** Writes ticket, inboxes and history; the row is locked. Times never run backwards within a ticket. */
    @SqlQuery("""
            WITH changed AS (
                UPDATE ticket SET status = :status, claimed_by = :claimedBy,
                    assignments = coalesce(:assignments, assignments), changes = changes + 1,
                    updated_at = greatest(updated_at, :at)
                WHERE organization_id = :organization AND id = :id
                RETURNING *
            ), inboxes AS (
                UPDATE ticket_assignee a SET status = :status FROM changed c
                WHERE a.organization_id = c.organization_id AND a.ticket_id = c.id AND a.status <> :status
            ), entry AS (
                INSERT INTO ticket_history (organization_id, ticket_id, seq, at, actor, change, from_value, to_value,
                    detail, mentions)
                SELECT organization_id, id, changes, updated_at, :by, :change, :from, :to, :detail, :mentions
                FROM changed)
            SELECT t.changes, t.inputs,""" + COLUMNS + "FROM changed t")
    ChangedTicket update(
            OrganizationId organization,
            TicketId id,
            @BindMethods TicketState state,
            @BindMethods HistoryEntry entry,
            Instant at);

    /** The newest ticket of each task of an instance. */
    @SqlQuery("""
            SELECT DISTINCT ON (task_id) task_id, id FROM ticket
            WHERE organization_id = :organization AND workflow_instance_id = :instance
            ORDER BY task_id, attempt DESC, id DESC""")
    @KeyColumn("task_id")
    @ValueColumn("id")
    Map<TaskId, TicketId> ofInstance(OrganizationId organization, WorkflowInstanceId instance);

    @SqlQuery("SELECT" + COLUMNS + ONE + " FOR NO KEY UPDATE")
    Optional<Ticket> lock(OrganizationId organization, TicketId id);

    @SqlQuery("SELECT" + COLUMNS + ONE)
    Optional<Ticket> ticket(OrganizationId organization, TicketId id);

    @SqlQuery("SELECT t.changes, t.inputs," + COLUMNS + ONE)
    ChangedTicket changed(OrganizationId organization, TicketId id);

    @SqlQuery("SELECT t.form, t.inputs, t.answer," + COLUMNS + ONE)
    Optional<TicketRow> row(OrganizationId organization, TicketId id);

    @SqlQuery("""
            SELECT seq, at, actor AS by, change, from_value AS from, to_value AS to, detail, mentions
            FROM ticket_history WHERE organization_id = :organization AND ticket_id = :id ORDER BY seq""")
    List<TicketChange> history(OrganizationId organization, TicketId id);

    /** One ticket with its form and its history. */
    default Optional<TicketDetails> details(OrganizationId organization, TicketId id) {
        return row(organization, id)
                .map(row -> new TicketDetails(row.ticket, row.form, row.inputs, row.answer, history(organization, id)));
    }

    /** The assignees of tickets to list: types and ids of the same length. */
    record Assignees(List<String> types, List<String> ids) {}

    /** @param mine the user and the user's teams */
    record ListParameters(Assignees searched, Assignees mine, TicketActor actor, TicketFilter filter, Instant now) {}

    /**
     * The tickets with the ids of a query that meet the conditions, after a cursor.
     *
     * @param before limits the ids, of which the newest are examined
     */
    @AllowUnusedBindings
    @SqlQuery("SELECT" + COLUMNS + """
            , t.status = 'RESOLVED' AND t.rule_type = 'Exception' AND t.answer IS NULL AND t.reason IS NULL AS retried,
                (SELECT r.number FROM ticket r WHERE r.organization_id = t.organization_id AND r.id = t.replaced_by)
                    AS replaced_by_number, t.input_preview
            FROM (<ids>) found JOIN ticket t ON t.organization_id = :organization AND t.id = found.id
            WHERE <conditions> AND <following>
            ORDER BY <order> LIMIT :limit""")
    List<TicketSummary> list(
            OrganizationId organization,
            @BindMethods ListParameters parameters,
            UUID before,
            int examined,
            Optional<String> afterKey,
            Optional<TicketId> afterId,
            int limit,
            @Define String ids,
            @Define String conditions,
            @Define String following,
            @Define String order);

    /** The number of ids of a query. */
    @AllowUnusedBindings
    @SqlQuery("SELECT count(*) FROM (<ids>) found")
    int count(
            OrganizationId organization,
            @BindMethods ListParameters parameters,
            UUID before,
            int examined,
            @Define String ids);

    /** A ticket whose reminder is due. */
    record DueTicket(OrganizationId organization, TicketId id, Instant dueAt) {}

    /** The ticket whose reminder is due first, unless another node sends it. */
    @SqlQuery("""
            SELECT organization_id AS organization, id, due_at FROM ticket
            WHERE remind_at <= :now AND status IN ('OPEN', 'IN_PROGRESS')
            ORDER BY remind_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED""")
    Optional<DueTicket> lockDue(Instant now);

    @SqlUpdate("UPDATE ticket SET remind_at = :next WHERE organization_id = :organization AND id = :id")
    void remindAt(OrganizationId organization, TicketId id, @Nullable Instant next);

    /** The addresses of users and of members of teams who want a kind of email, whose column is given. */
    @SqlQuery("""
            SELECT u.email FROM (
                SELECT m.user_id FROM membership m
                WHERE m.organization_id = :organization AND m.user_id = ANY (:users::uuid[])
                UNION
                SELECT tm.user_id FROM team_member tm
                JOIN team t ON t.organization_id = tm.organization_id AND t.id = tm.team_id
                WHERE tm.organization_id = :organization AND tm.team_id = ANY (:teams::integer[])
                  AND t.deleted_at IS NULL
            ) who
            JOIN app_user u ON u.id = who.user_id
            JOIN organization o ON o.id = :organization AND o.deleted_at IS NULL
            WHERE u.id <> ALL (:except::uuid[]) AND u.<column>
            ORDER BY u.id""")
    List<String> recipients(
            OrganizationId organization,
            List<UserId> users,
            List<Integer> teams,
            List<UserId> except,
            @Define String column);

    /** The names of teams. */
    @SqlQuery("SELECT id, name FROM team WHERE organization_id = :organization AND id = ANY (:teams)")
    @KeyColumn("id")
    @ValueColumn("name")
    Map<Integer, String> teamNames(OrganizationId organization, List<Integer> teams);

    @SqlQuery("SELECT id, number FROM ticket WHERE organization_id = :organization AND id = ANY (:ids)")
    @KeyColumn("id")
    @ValueColumn("number")
    Map<TicketId, Integer> numbers(OrganizationId organization, List<TicketId> ids);

    /** The names of the members among these users. */
    @SqlQuery("""
            SELECT u.id, u.name FROM membership m JOIN app_user u ON u.id = m.user_id
            WHERE m.organization_id = :organization AND m.user_id = ANY (:users)""")
    @KeyColumn("id")
    @ValueColumn("name")
    Map<UserId, String> memberNames(OrganizationId organization, List<UserId> users);
}
