package dev.parley.workflow.ticket;

import dev.parley.http.RawJson;
import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.workflow.definition.core.AssignmentRule.RuleType;
import dev.parley.workflow.ticket.core.TicketStatus;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.RowView;
import org.jspecify.annotations.Nullable;

/** Reads tickets and their histories from their tables. */
final class TicketRows {
    /** The columns for {@link #ticket}, from {@code ticket t}. */
    static final String COLUMNS = """
            t.id, t.number, t.rule_type, t.title, t.description, t.status, t.priority, t.assignments, t.claimed_by,
            t.workflow_id, t.workflow_version, t.workflow_name, t.workflow_instance_id, t.conversation_id, t.task_id,
            t.task_name, t.item, t.attempt, t.test_run, t.exception, t.tool_call, t.reason, t.replaces, t.replaced_by, t.due_at,
            t.created_at, t.updated_at, t.resolved_by, t.resolved_at""";

    /** The further columns for {@link #summary}. Only a retry resolves an Exception ticket without an answer. */
    static final String SUMMARY_COLUMNS = """
            t.status = 'RESOLVED' AND t.rule_type = 'Exception' AND t.answer IS NULL AND t.reason IS NULL
                AS retried,
            (SELECT r.number FROM ticket r WHERE r.organization_id = t.organization_id AND r.id = t.replaced_by)
                AS replaced_by_number, t.input_preview""";

    private TicketRows() {}

    /** One ticket with its form and its history. */
    static Optional<TicketDetails> details(Handle handle, OrganizationId organization, TicketId id) {
        return handle.createQuery("""
                        SELECT %s, t.form, t.inputs, t.answer FROM ticket t
                        WHERE t.organization_id = :organization AND t.id = :id""".formatted(COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .map(row -> new TicketDetails(
                        ticket(row),
                        List.of(StrictJson.readTrusted(row.getColumn("form", String.class), FormField[].class)),
                        row.getColumn("inputs", RawJson.class),
                        row.getColumn("answer", RawJson.class),
                        history(handle, organization, id)))
                .findOne();
    }

    private static @Nullable ToolCallDetails toolCall(RowView row) {
        String call = row.getColumn("tool_call", String.class);
        return call == null ? null : StrictJson.readTrusted(call, ToolCallDetails.class);
    }

    private static List<TicketChange> history(Handle handle, OrganizationId organization, TicketId id) {
        return handle.createQuery("""
                        SELECT seq, at, actor AS by, change, from_value AS from, to_value AS to, detail,
                            mentions
                        FROM ticket_history WHERE organization_id = :organization AND ticket_id = :id ORDER BY seq""")
                .bind("organization", organization)
                .bind("id", id)
                .mapTo(TicketChange.class)
                .list();
    }

    static Ticket ticket(RowView row) {
        String exception = row.getColumn("exception", String.class);
        List<TicketAssignee> assignments =
                List.of(StrictJson.readTrusted(row.getColumn("assignments", String.class), TicketAssignee[].class));
        return new Ticket(
                row.getColumn("id", TicketId.class),
                row.getColumn("number", Integer.class),
                row.getColumn("rule_type", String.class),
                row.getColumn("title", String.class),
                row.getColumn("description", String.class),
                row.getColumn("status", TicketStatus.class),
                row.getColumn("priority", Ticket.Priority.class),
                assignments.isEmpty() ? null : assignments.getFirst(),
                assignments,
                row.getColumn("claimed_by", UserId.class),
                row.getRow(TicketOrigin.class),
                exception == null ? null : StrictJson.readTrusted(exception, ExceptionDetails.class),
                toolCall(row),
                row.getColumn("reason", String.class),
                row.getColumn("replaces", TicketId.class),
                row.getColumn("replaced_by", TicketId.class),
                row.getColumn("due_at", Instant.class),
                row.getColumn("created_at", Instant.class),
                row.getColumn("updated_at", Instant.class),
                row.getColumn("resolved_by", String.class),
                row.getColumn("resolved_at", Instant.class));
    }

    static TicketSummary summary(RowView row) {
        return new TicketSummary(
                ticket(row),
                row.getColumn("retried", Boolean.class),
                row.getColumn("replaced_by_number", Integer.class),
                row.getColumn("input_preview", String.class));
    }

    /** The rule type with which a ticket was opened. */
    static RuleType ruleType(Ticket ticket) {
        return Arrays.stream(RuleType.values())
                .filter(type -> type.text().equals(ticket.ruleType()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unknown kind " + ticket.ruleType()));
    }
}
