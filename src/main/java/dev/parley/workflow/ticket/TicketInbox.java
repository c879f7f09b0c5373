package dev.parley.workflow.ticket;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.workflow.ticket.core.TicketStatus;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Lists tickets, newest first. Each assignee and status is one index range, of which at most a page of rows is read: a
 * page costs the same however many tickets were resolved before.
 */
@Singleton
public final class TicketInbox {
    /** Greater than every id, for the first page. */
    private static final UUID END = new UUID(-1, -1);

    private final Database database;

    TicketInbox(Database database) {
        this.database = database;
    }

    /** Whose tickets to list. */
    public enum Scope {
        /** Assigned to or claimed by the user. */
        ME,
        /** Assigned to the user's teams. */
        TEAM,
        /** All tickets that the user may see. */
        ALL
    }

    /**
     * The filter of a list.
     *
     * @param statuses empty for all
     */
    public record TicketFilter(Scope scope, Set<TicketStatus> statuses) {
        public TicketFilter {
            statuses = Set.copyOf(statuses);
        }

        private List<String> statusNames() {
            return Arrays.stream(TicketStatus.values())
                    .filter(status -> statuses.isEmpty() || statuses.contains(status))
                    .map(TicketStatus::name)
                    .toList();
        }
    }

    /** Tickets that the user may see, by descending id, after the cursor. */
    public List<Ticket> list(
            OrganizationId organization, TicketActor actor, TicketFilter filter, Optional<TicketId> after, int limit) {
        UUID before = after.map(TicketId::value).orElse(END);
        return database.with(handle -> {
            Query query =
                    switch (filter.scope()) {
                        case ME -> assigned(handle, List.of(actor.self()), actor);
                        case TEAM -> assigned(handle, actor.teamAssignees(), null);
                        case ALL -> actor.manages() ? everything(handle) : assigned(handle, assignees(actor), null);
                    };
            return query.bind("organization", organization)
                    .bindArray("statuses", String.class, filter.statusNames())
                    .bind("before", before)
                    .bind("limit", limit)
                    .map(TicketRows::ticket)
                    .list();
        });
    }

    /** The number of tickets in {@link #list}, counted up to a limit: a menu then shows {@code 99+}. */
    public int count(OrganizationId organization, TicketActor actor, TicketFilter filter, int most) {
        return list(organization, actor, filter, Optional.empty(), most).size();
    }

    private static Query everything(Handle handle) {
        return handle.createQuery("""
                SELECT %s FROM unnest(:statuses::text[]) AS s (status)
                CROSS JOIN LATERAL (
                    SELECT * FROM ticket
                    WHERE organization_id = :organization AND status = s.status AND id < :before
                    ORDER BY id DESC LIMIT :limit
                ) t
                ORDER BY t.id DESC LIMIT :limit""".formatted(TicketRows.COLUMNS));
    }

    /**
     * Tickets of the assignees.
     *
     * @param claimant a user whose claimed tickets are included, if still visible to that user; null for none
     */
    private static Query assigned(Handle handle, List<TicketAssignee> assignees, @Nullable TicketActor claimant) {
        List<TicketAssignee> claimantAssignees = claimant == null ? List.of() : assignees(claimant);
        UserId me = claimant == null ? null : claimant.user();
        return handle.createQuery("""
                        SELECT %s FROM ticket t JOIN (
                            SELECT f.id FROM unnest(:types::text[], :assignees::text[]) AS w (type, assignee)
                            CROSS JOIN unnest(:statuses::text[]) AS s (status)
                            CROSS JOIN LATERAL (
                                SELECT ticket_id AS id FROM ticket_assignee
                                WHERE organization_id = :organization AND assignment_type = w.type
                                  AND assignee = w.assignee AND status = s.status AND ticket_id < :before
                                ORDER BY ticket_id DESC LIMIT :limit
                            ) f
                            UNION
                            SELECT f.id FROM unnest(:statuses::text[]) AS s (status)
                            CROSS JOIN LATERAL (
                                SELECT id FROM ticket c
                                WHERE organization_id = :organization AND claimed_by = :me::uuid AND status = s.status
                                  AND id < :before
                                  AND (:manages OR EXISTS (
                                      SELECT FROM ticket_assignee a
                                      JOIN unnest(:myTypes::text[], :myIds::text[]) AS m (type, assignee)
                                          ON m.type = a.assignment_type AND m.assignee = a.assignee
                                      WHERE a.organization_id = c.organization_id AND a.ticket_id = c.id))
                                ORDER BY id DESC LIMIT :limit
                            ) f
                            ORDER BY id DESC LIMIT :limit
                        ) found ON t.organization_id = :organization AND t.id = found.id
                        ORDER BY t.id DESC""".formatted(TicketRows.COLUMNS))
                .bindArray("types", String.class, types(assignees))
                .bindArray("assignees", String.class, ids(assignees))
                .bindArray("myTypes", String.class, types(claimantAssignees))
                .bindArray("myIds", String.class, ids(claimantAssignees))
                .bind("me", me == null ? null : me.value())
                .bind("manages", claimant != null && claimant.manages());
    }

    private static List<TicketAssignee> assignees(TicketActor actor) {
        List<TicketAssignee> all = new ArrayList<>(actor.teamAssignees());
        all.add(actor.self());
        return all;
    }

    private static List<String> types(List<TicketAssignee> assignees) {
        return assignees.stream().map(TicketAssignee::assignmentType).toList();
    }

    private static List<String> ids(List<TicketAssignee> assignees) {
        return assignees.stream().map(TicketAssignee::assigneeId).toList();
    }
}
