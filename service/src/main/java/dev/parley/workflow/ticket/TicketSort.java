package dev.parley.workflow.ticket;

import dev.parley.workflow.ticket.store.Ticket;
import java.time.DateTimeException;
import java.time.Instant;

/** The order of a list of tickets. Tickets of equal rank follow by creation, so that the order is total. */
public enum TicketSort {
    /** Newest first. */
    CREATED("t.id DESC", "t.id < :afterId"),
    /** Oldest first. */
    OLDEST("t.id", "t.id > :afterId"),
    /** Due next first; tickets without a due date last. At the same due date, high priority first, then oldest. */
    DUE("coalesce(t.due_at, 'infinity'), CAST(t.priority <> 'HIGH' AS integer), t.id", """
            (coalesce(t.due_at, 'infinity'), CAST(t.priority <> 'HIGH' AS integer), t.id)
                > (CAST(split_part(:afterKey, '_', 1) AS timestamptz), CAST(split_part(:afterKey, '_', 2) AS integer),
                    :afterId)"""),
    /** High priority first, then newest. */
    PRIORITY(
            "CAST(t.priority = 'HIGH' AS integer) DESC, t.id DESC",
            "(CAST(t.priority = 'HIGH' AS integer), t.id) < (CAST(:afterKey AS integer), :afterId)"),
    /** Latest change first. */
    UPDATED("t.updated_at DESC, t.id DESC", "(t.updated_at, t.id) < (CAST(:afterKey AS timestamptz), :afterId)"),
    /** Latest end first; open tickets last. */
    RESOLVED(
            "coalesce(t.resolved_at, '-infinity') DESC, t.id DESC",
            "(coalesce(t.resolved_at, '-infinity'), t.id) < (CAST(:afterKey AS timestamptz), :afterId)");

    private static final String NO_DUE_DATE = "infinity";
    private static final String NOT_RESOLVED = "-infinity";
    private static final String HIGH = "_0";
    private static final String NORMAL = "_1";

    private final String order;
    private final String after;

    TicketSort(String order, String after) {
        this.order = order;
        this.after = after;
    }

    /** The terms of {@code ORDER BY}. */
    String order() {
        return order;
    }

    /** The condition for rows after {@code :afterKey} and {@code :afterId}. */
    String after() {
        return after;
    }

    /** The ticket's rank in this order, for the cursor; empty if the id is the rank. */
    String key(Ticket ticket) {
        return switch (this) {
            case CREATED, OLDEST -> "";
            case DUE ->
                (ticket.dueAt() == null ? NO_DUE_DATE : ticket.dueAt().toString())
                        + (ticket.priority() == Ticket.Priority.HIGH ? HIGH : NORMAL);
            case PRIORITY -> ticket.priority() == Ticket.Priority.HIGH ? "1" : "0";
            case UPDATED -> ticket.updatedAt().toString();
            case RESOLVED ->
                ticket.resolvedAt() == null ? NOT_RESOLVED : ticket.resolvedAt().toString();
        };
    }

    boolean isKey(String text) {
        return switch (this) {
            case CREATED, OLDEST -> text.isEmpty();
            case DUE -> isDueKey(text);
            case PRIORITY -> text.equals("0") || text.equals("1");
            case UPDATED -> isTime(text);
            case RESOLVED -> text.equals(NOT_RESOLVED) || isTime(text);
        };
    }

    private static boolean isDueKey(String text) {
        if (!text.endsWith(HIGH) && !text.endsWith(NORMAL)) {
            return false;
        }
        String due = text.substring(0, text.length() - HIGH.length());
        return due.equals(NO_DUE_DATE) || isTime(due);
    }

    /** A time as {@link Instant#toString} writes it, within the years of tickets. */
    private static boolean isTime(String text) {
        try {
            return text.length() <= 30
                    && text.startsWith("2")
                    && Instant.parse(text).toString().equals(text);
        } catch (DateTimeException _) {
            return false;
        }
    }
}
