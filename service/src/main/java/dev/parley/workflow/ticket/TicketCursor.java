package dev.parley.workflow.ticket;

import dev.parley.id.TicketId;
import dev.parley.workflow.ticket.store.Ticket;
import java.util.Optional;

/**
 * A position in a list of tickets: the last ticket of a page, and its rank in the order.
 *
 * @param key empty if the id is the rank
 */
public record TicketCursor(String key, TicketId id) {
    static TicketCursor of(TicketSort sort, Ticket ticket) {
        return new TicketCursor(sort.key(ticket), ticket.id());
    }

    /** The text in {@code next} and {@code after}. */
    String text() {
        return key.isEmpty() ? id.text() : key + "_" + id.text();
    }

    static Optional<TicketCursor> parse(TicketSort sort, String text) {
        int split = text.lastIndexOf('_');
        String key = split < 0 ? "" : text.substring(0, split);
        return TicketId.parse(text.substring(split + 1))
                .filter(_ -> sort.isKey(key))
                .map(id -> new TicketCursor(key, id));
    }
}
