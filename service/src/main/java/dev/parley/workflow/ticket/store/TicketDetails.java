package dev.parley.workflow.ticket.store;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.http.json.RawJson;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A ticket with the data for working on it, and its history.
 *
 * @param inputs the task's inputs, by name
 * @param answer the submitted values; null before, and if the ticket ended without
 * @param history oldest change first
 */
@Schema(name = "TicketDetails", description = "A ticket with its form, its inputs and its history.")
public record TicketDetails(
        @JsonUnwrapped Ticket ticket,

        List<FormField> form,

        @Schema(description = "The task's inputs that the person sees, by name")
        RawJson inputs,

        @Schema(description = "The submitted values, by field name") @Nullable
        RawJson answer,

        List<TicketChange> history) {
    public TicketDetails {
        form = List.copyOf(form);
        history = List.copyOf(history);
    }
}
