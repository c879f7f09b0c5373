package dev.parley.organization.user;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The kinds of ticket emails to turn on or off. */
@Schema(name = "TicketEmailsChange")
public record TicketEmailsChange(
        @Nullable Boolean newTickets,
        @Nullable Boolean changes,
        @Nullable Boolean comments,
        @Nullable Boolean reminders) {}
