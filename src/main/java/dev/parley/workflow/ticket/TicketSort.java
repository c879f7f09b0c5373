package dev.parley.workflow.ticket;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The order of a list of tickets. Tickets of equal rank follow by creation, so that the order is total. */
public enum TicketSort {
    /** Newest first. */
    CREATED("t.id DESC", "t.id < :afterId"),
    /** Oldest first. */
    OLDEST("t.id", "t.id > :afterId"),
    /** Due next first; tickets without a due date last. */
    DUE(
            "coalesce(t.due_at, 'infinity'), t.id",
            "(coalesce(t.due_at, 'infinity'), t.id) > (CAST(:afterKey AS timestamptz), :afterId)"),
    /** High priority first, then newest. */
    PRIORITY(
            "CAST(t.priority = 'HIGH' AS integer) DESC, t.id DESC",
            "(CAST(t.priority = 'HIGH' AS integer), t.id) < (CAST(:afterKey AS integer), :afterId)"),
    /** Latest change first. */
    UPDATED("t.updated_at DESC, t.id DESC", "(t.updated_at, t.id) < (CAST(:afterKey AS timestamptz), :afterId)");

    private static final String NO_DUE_DATE = "infinity";

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

    /** The name in the API. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<TicketSort> parse(String text) {
        return Arrays.stream(values()).filter(sort -> sort.text().equals(text)).findFirst();
    }

    /** The ticket's rank in this order, for the cursor; empty if the id is the rank. */
    String key(Ticket ticket) {
        return switch (this) {
            case CREATED, OLDEST -> "";
            case DUE -> ticket.dueAt() == null ? NO_DUE_DATE : ticket.dueAt().toString();
            case PRIORITY -> ticket.priority() == Ticket.Priority.HIGH ? "1" : "0";
            case UPDATED -> ticket.updatedAt().toString();
        };
    }

    boolean isKey(String text) {
        return switch (this) {
            case CREATED, OLDEST -> text.isEmpty();
            case DUE -> text.equals(NO_DUE_DATE) || isTime(text);
            case PRIORITY -> text.equals("0") || text.equals("1");
            case UPDATED -> isTime(text);
        };
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
