package dev.parley.workflow.ticket;

import dev.parley.http.RawJson;
import dev.parley.http.StrictJson;
import dev.parley.id.ConversationId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowId;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.ticket.core.TicketStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads tickets and their histories from their tables. */
final class TicketRows {
    /** The columns for {@link #ticket}, from {@code ticket t}. */
    static final String COLUMNS = """
            t.id, t.number, t.rule_type, t.title, t.description, t.status, t.priority, t.assignments, t.claimed_by,
            t.workflow_id, t.workflow_version, t.workflow_name, t.workflow_instance_id, t.conversation_id, t.task_id,
            t.task_name, t.attempt, t.exception, t.reason, t.replaces, t.replaced_by, t.due_at, t.created_at, t.updated_at, t.resolved_at""";

    private TicketRows() {}

    /** One ticket with its form and its history. */
    static Optional<TicketDetails> details(Handle handle, OrganizationId organization, TicketId id) {
        return handle.createQuery("""
                        SELECT %s, t.form, t.inputs, t.answer FROM ticket t
                        WHERE t.organization_id = :organization AND t.id = :id""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .map((row, _) -> new TicketDetails(
                        ticket(row),
                        List.of(StrictJson.readTrusted(row.getString("form"), FormField[].class)),
                        new RawJson(row.getString("inputs")),
                        raw(row.getString("answer")),
                        history(handle, organization, id)))
                .findOne();
    }

    private static List<TicketChange> history(Handle handle, OrganizationId organization, TicketId id) {
        return handle.createQuery("""
                        SELECT seq, at, actor, change, from_value, to_value, detail FROM ticket_history
                        WHERE organization_id = :organization AND ticket_id = :id ORDER BY seq""")
                .bind("organization", organization)
                .bind("id", id)
                .map((row, _) -> new TicketChange(
                        row.getInt("seq"),
                        instant(row, "at"),
                        row.getString("actor"),
                        TicketChange.TicketChangeKind.of(row.getString("change")),
                        row.getString("from_value"),
                        row.getString("to_value"),
                        row.getString("detail")))
                .list();
    }

    static Ticket ticket(ResultSet row) throws SQLException {
        String exception = row.getString("exception");
        UUID claimedBy = row.getObject("claimed_by", UUID.class);
        List<TicketAssignee> assignments =
                List.of(StrictJson.readTrusted(row.getString("assignments"), TicketAssignee[].class));
        return new Ticket(
                new TicketId(row.getObject("id", UUID.class)),
                row.getInt("number"),
                row.getString("rule_type"),
                row.getString("title"),
                row.getString("description"),
                TicketStatus.valueOf(row.getString("status")),
                Ticket.Priority.valueOf(row.getString("priority")),
                assignments.isEmpty() ? null : assignments.getFirst(),
                assignments,
                claimedBy == null ? null : new UserId(claimedBy),
                origin(row),
                exception == null ? null : StrictJson.readTrusted(exception, ExceptionDetails.class),
                row.getString("reason"),
                ticketId(row, "replaces"),
                ticketId(row, "replaced_by"),
                optionalInstant(row, "due_at"),
                instant(row, "created_at"),
                instant(row, "updated_at"),
                optionalInstant(row, "resolved_at"));
    }

    private static TicketOrigin origin(ResultSet row) throws SQLException {
        UUID conversation = row.getObject("conversation_id", UUID.class);
        return new TicketOrigin(
                new WorkflowId(row.getObject("workflow_id", UUID.class)),
                row.getInt("workflow_version"),
                row.getString("workflow_name"),
                new WorkflowInstanceId(row.getObject("workflow_instance_id", UUID.class)),
                conversation == null ? null : new ConversationId(conversation),
                row.getString("task_id"),
                row.getString("task_name"),
                row.getInt("attempt"));
    }

    /** The rule type with which a ticket was opened. */
    static RuleType ruleType(Ticket ticket) {
        return Arrays.stream(RuleType.values())
                .filter(type -> type.text().equals(ticket.ruleType()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unknown kind " + ticket.ruleType()));
    }

    private static @Nullable TicketId ticketId(ResultSet row, String column) throws SQLException {
        UUID id = row.getObject(column, UUID.class);
        return id == null ? null : new TicketId(id);
    }

    private static @Nullable RawJson raw(@Nullable String json) {
        return json == null ? null : new RawJson(json);
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static @Nullable Instant optionalInstant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
