package dev.parley.workflow.ticket.store;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * Why a task failed, for its Exception ticket.
 *
 * @param error a short title
 * @param detail a sentence or more
 */
@Schema(name = "TicketException")
public record ExceptionDetails(
        @Schema(examples = "Tool failed") String error, String detail) {}
