package dev.parley.organization.user;

import java.util.Locale;

/** A kind of ticket emails, which a person can turn off. */
public enum TicketEmailKind {
    /** A ticket is opened for the person, or reassigned to the person. */
    NEW_TICKETS,
    /** Another person or the run changes or ends the ticket. */
    CHANGES,
    COMMENTS,
    REMINDERS;

    /** The column of {@code app_user}. */
    public String column() {
        return "email_" + name().toLowerCase(Locale.ROOT);
    }
}
