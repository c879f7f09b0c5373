package dev.parley.workflow.ticket;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A ticket in a person's list. Events contain the {@link Ticket} alone, because their readers may not see the inputs.
 *
 * @param inputPreview the start of the inputs on one line; empty without inputs
 */
@Schema(name = "TicketSummary", description = "A ticket in a list, with the start of its inputs.")
public record TicketSummary(
        @JsonUnwrapped Ticket ticket,

        @Schema(
                description = "The start of the inputs on one line; empty without inputs",
                examples = "supplier: ACME · total: 12.5")
        String inputPreview) {}
