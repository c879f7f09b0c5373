package dev.parley.workflow.ticket;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.workflow.ticket.store.TicketActor;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketFilter;
import dev.parley.workflow.ticket.store.TicketStore;
import dev.parley.workflow.ticket.store.TicketStore.Assignees;
import dev.parley.workflow.ticket.store.TicketStore.ListParameters;
import dev.parley.workflow.ticket.store.TicketSummary;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Lists tickets. Each assignee and status is one index range, newest first; at most a page of rows is read from each.
 * Another order, a search or another filter looks at the newest {@link #MAX_EXAMINED} tickets of these ranges: a page
 * costs the same however many tickets were resolved before.
 */
@Singleton
public final class TicketInbox {
    static final int MAX_EXAMINED = 10_000;
    /** Greater than every id, for the first page. */
    private static final UUID END = new UUID(-1, -1);

    private final TicketStore statements;
    private final Clock clock;

    TicketInbox(Database database, Clock clock) {
        this.statements = database.statements(TicketStore.class);
        this.clock = clock;
    }

    /** Tickets that the user may see, in the order, after the cursor. */
    public List<TicketSummary> list(
            OrganizationId organization,
            TicketActor actor,
            TicketFilter filter,
            TicketSort sort,
            Optional<TicketCursor> after,
            int limit) {
        boolean isByCreation = sort == TicketSort.CREATED;
        return statements.list(
                organization,
                parameters(actor, filter),
                after.filter(_ -> isByCreation)
                        .map(cursor -> cursor.id().value())
                        .orElse(END),
                isByCreation && filter.isIndexed() ? limit : MAX_EXAMINED,
                after.map(TicketCursor::key),
                after.map(TicketCursor::id),
                limit,
                ids(actor, filter),
                conditions(filter),
                after.isPresent() ? sort.after() : "true",
                sort.order());
    }

    /** The number of tickets in {@link #list}, counted up to {@link #MAX_EXAMINED}. */
    public int count(OrganizationId organization, TicketActor actor, TicketFilter filter) {
        String ids = ids(actor, filter);
        String found = filter.isIndexed() ? ids : """
                SELECT t.id FROM (%s) found JOIN ticket t ON t.organization_id = :organization AND t.id = found.id
                WHERE %s""".formatted(ids, conditions(filter));
        return statements.count(organization, parameters(actor, filter), END, MAX_EXAMINED, found);
    }

    private ListParameters parameters(TicketActor actor, TicketFilter filter) {
        Assignees assignees = filter.indexedTeam()
                .map(team -> team(actor, filter, team))
                .orElseGet(() -> assignees(actor, filter.scope()));
        return new ListParameters(assignees, assignees(actor, TicketFilter.Scope.MINE), actor, filter, clock.instant());
    }

    /** The conditions that no index range decides. */
    private static String conditions(TicketFilter filter) {
        List<String> conditions = new ArrayList<>(List.of("true"));
        if (!filter.indexedTeam().equals(filter.team())) {
            conditions.add("""
                    EXISTS (SELECT FROM ticket_assignee a WHERE a.organization_id = t.organization_id
                      AND a.ticket_id = t.id AND a.assignment_type = 'Team' AND a.assignee = :filter.team::text)""");
        }
        if (filter.agent().isPresent()) {
            conditions.add("t.workflow_id = :filter.agent");
        }
        if (filter.available()) {
            conditions.add("(t.status = 'OPEN' OR t.status = 'IN_PROGRESS' AND t.claimed_by = :actor.user)");
        }
        if (filter.testRun().isPresent()) {
            conditions.add("t.test_run = :filter.testRun");
        }
        if (filter.overdue()) {
            conditions.add("t.due_at < :now AND t.status IN ('OPEN', 'IN_PROGRESS')");
        }
        if (filter.isNumber()) {
            conditions.add("t.number = :filter.number");
        } else if (!filter.words().isEmpty()) {
            String found =
                    "NOT EXISTS (SELECT FROM unnest(:filter.words) AS w (word) WHERE strpos(t.search_text, w.word) = 0)";
            conditions.add(filter.number().isPresent() ? "(" + found + " OR t.number = :filter.number)" : found);
        }
        return String.join(" AND ", conditions);
    }

    /** A query of the ids in the scope with the statuses, newest first. */
    private static String ids(TicketActor actor, TicketFilter filter) {
        String ranges = filter.indexedTeam().isPresent()
                ? ASSIGNED
                : switch (filter.scope()) {
                    case ME, MINE -> ASSIGNED + " UNION " + CLAIMED;
                    case TEAM -> ASSIGNED;
                    case ALL -> actor.manages() ? EVERYTHING : ASSIGNED;
                };
        String newest = "SELECT id FROM (" + ranges + ") AS f (id) ORDER BY id DESC LIMIT :examined";
        // An old ticket is found by its number, too.
        return filter.scope() == TicketFilter.Scope.ALL
                        && filter.team().isEmpty()
                        && filter.number().isPresent()
                ? "(" + newest + ") UNION " + NUMBERED
                : newest;
    }

    private static final String EVERYTHING = """
            SELECT e.id FROM unnest(:filter.statusNames) AS s (status)
            CROSS JOIN LATERAL (
                SELECT id FROM ticket
                WHERE organization_id = :organization AND status = s.status AND id < :before
                ORDER BY id DESC LIMIT :examined
            ) e""";

    private static final String ASSIGNED = """
            SELECT DISTINCT a.id FROM unnest(:searched.types, :searched.ids) AS w (type, assignee)
            CROSS JOIN unnest(:filter.statusNames) AS s (status)
            CROSS JOIN LATERAL (
                SELECT ticket_id AS id FROM ticket_assignee
                WHERE organization_id = :organization AND assignment_type = w.type
                  AND assignee = w.assignee AND status = s.status AND ticket_id < :before
                ORDER BY ticket_id DESC LIMIT :examined
            ) a""";

    /** Whether the user may see the ticket {@code c}. */
    private static final String VISIBLE = """
            (:actor.manages OR EXISTS (
                SELECT FROM ticket_assignee a
                JOIN unnest(:mine.types, :mine.ids) AS m (type, assignee)
                    ON m.type = a.assignment_type AND m.assignee = a.assignee
                WHERE a.organization_id = c.organization_id AND a.ticket_id = c.id))""";

    private static final String CLAIMED = """
            SELECT f.id FROM unnest(:filter.statusNames) AS s (status)
            CROSS JOIN LATERAL (
                SELECT c.id FROM ticket c
                WHERE c.organization_id = :organization AND c.claimed_by = :actor.user AND c.status = s.status
                  AND c.id < :before AND %s
                ORDER BY c.id DESC LIMIT :examined
            ) f""".formatted(VISIBLE);

    private static final String NUMBERED = """
            (SELECT c.id FROM ticket c
             WHERE c.organization_id = :organization AND c.number = :filter.number AND c.status = ANY (:filter.statusNames)
               AND %s)""".formatted(VISIBLE);

    /** The team, or nobody if its tickets are outside of the scope. */
    private static Assignees team(TicketActor actor, TicketFilter filter, int team) {
        boolean all = filter.scope() == TicketFilter.Scope.ALL && actor.manages();
        return all || actor.teams().contains(team)
                ? new Assignees(List.of("Team"), List.of(Integer.toString(team)))
                : new Assignees(List.of(), List.of());
    }

    private static Assignees assignees(TicketActor actor, TicketFilter.Scope scope) {
        List<TicketAssignee> all = new ArrayList<>();
        if (scope != TicketFilter.Scope.ME) {
            all.addAll(actor.teamAssignees());
        }
        if (scope != TicketFilter.Scope.TEAM) {
            all.add(actor.self());
        }
        return new Assignees(
                all.stream().map(TicketAssignee::assignmentType).toList(),
                all.stream().map(TicketAssignee::assigneeId).toList());
    }
}
