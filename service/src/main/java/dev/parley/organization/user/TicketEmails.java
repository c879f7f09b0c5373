package dev.parley.organization.user;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The kinds of ticket emails that a user gets. */
@Schema(name = "TicketEmails")
public record TicketEmails(
        @Schema(description = "A ticket is assigned to the user or a team of the user")
        boolean newTickets,

        @Schema(description = "A ticket is claimed, released, taken over, completed, rejected, retried or closed")
        boolean changes,

        @Schema(description = "A person comments on a ticket, or mentions the user in a comment")
        boolean comments,

        @Schema(description = "A ticket is due, or will be soon")
        boolean reminders) {}
