package dev.parley.workflow.ticket.store;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * A ticket in a person's list. Events contain the {@link Ticket} alone, because their readers may not see the inputs.
 *
 * @param retried whether the ticket ended by a retry of its failed task
 * @param replacedByNumber the number of the ticket that opened after this one was rejected or retried
 * @param inputPreview the start of the inputs on one line; empty without inputs
 */
@Schema(name = "TicketSummary", description = "A ticket in a list, with the start of its inputs.")
public record TicketSummary(
        @Nested @JsonUnwrapped Ticket ticket,

        @Schema(description = "Whether the ticket ended by a retry of its failed task")
        boolean retried,

        @Schema(description = "The number of the ticket in `replaced_by`", examples = "61") @Nullable
        Integer replacedByNumber,

        @Schema(
                description = "The start of the inputs on one line; empty without inputs",
                examples = "supplier: ACME · total: 12.5")
        String inputPreview) {}
