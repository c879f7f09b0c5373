package dev.parley.workflow.ticket.store;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.id.UserId;
import dev.parley.workflow.ticket.core.TicketEnd;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a ticket's history, which is immutable.
 *
 * @param by {@code user:<id>}, {@code api_key:<id>} or {@code system}
 * @param from the previous status, or for a reassignment the previous assignees; null if neither changed
 * @param to the new status or assignee; for a replacement the id of the new ticket
 * @param detail a comment's text, or the reason of a rejection
 * @param mentions the users that a comment mentions, in the order of the request
 */
@Schema(name = "TicketChange", description = "A change of the ticket, with author, time, and previous and new values.")
public record TicketChange(
        int seq,
        Instant at,

        @Schema(examples = "user:0192f0c17a3b7c4d8e5f60718293a4b5")
        String by,

        TicketChangeKind change,

        @Schema(description = "The previous status, or the previous assignees of a reassignment") @Nullable
        String from,

        @Schema(description = "The new status, the new assignee, or the id of the ticket that replaces this one")
        @Nullable
        String to,

        @Nullable String detail,

        @Schema(description = "Ids of the users that a comment mentions as `@Name`")
        List<UserId> mentions) {
    public TicketChange {
        mentions = List.copyOf(mentions);
    }

    /** The kind of change. For a rejected ticket, {@code to} is the result of the task's {@code error_policy}. */
    public enum TicketChangeKind {
        @JsonProperty("created")
        CREATED,
        @JsonProperty("claimed")
        CLAIMED,
        @JsonProperty("taken_over")
        TAKEN_OVER,
        @JsonProperty("released")
        RELEASED,
        @JsonProperty("reassigned")
        REASSIGNED,
        @JsonProperty("commented")
        COMMENTED,
        @JsonProperty("completed")
        COMPLETED,
        @JsonProperty("rejected")
        REJECTED,
        @JsonProperty("retried")
        RETRIED,
        @JsonProperty("replaced")
        REPLACED,
        @JsonProperty("closed")
        CLOSED;

        public static TicketChangeKind of(TicketEnd end) {
            return switch (end) {
                case COMPLETED, CALL_APPROVED -> COMPLETED;
                case RETRIED -> RETRIED;
                case REJECTED, REJECTION_IGNORED, REPLACED, CALL_REJECTED -> REJECTED;
                case CANCELLED -> CLOSED;
            };
        }

        /** The text in the database. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static TicketChangeKind of(String stored) {
            return valueOf(stored.toUpperCase(Locale.ROOT));
        }
    }
}
