package dev.parley.workflow.ticket.mail;

import dev.parley.db.Database;
import dev.parley.node.MaintenanceJob;
import dev.parley.workflow.ticket.store.TicketStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends reminders of open tickets: when a quarter of their time is left (at most a day before), and when they are due.
 * Each reminder and its record are one transaction, so that each is sent once.
 */
@Singleton
public final class TicketReminderJob {
    private static final Duration MAX_NOTICE = Duration.ofDays(1);

    private final Database database;
    private final TicketStore statements;
    private final TicketMail mail;
    private final Clock clock;

    TicketReminderJob(Database database, TicketMail mail, Clock clock) {
        this.database = database;
        this.statements = database.statements(TicketStore.class);
        this.mail = mail;
        this.clock = clock;
    }

    @Produces
    @Singleton
    MaintenanceJob reminding() {
        return new MaintenanceJob("remind of due tickets", Duration.ofSeconds(20), this::remind);
    }

    /** The time of the first reminder; null for a ticket without a due date. */
    public static @Nullable Instant firstReminder(Instant opened, @Nullable Instant due) {
        if (due == null) {
            return null;
        }
        Duration notice = Duration.between(opened, due).dividedBy(4);
        return due.minus(notice.compareTo(MAX_NOTICE) > 0 ? MAX_NOTICE : notice);
    }

    /** Sends all reminders that are due. */
    public void remind() {
        boolean more = true;
        while (more) {
            more = remindOne();
        }
    }

    private boolean remindOne() {
        Instant now = clock.instant();
        return database.transaction(() -> {
            Optional<TicketStore.DueTicket> found = statements.lockDue(now);
            found.ifPresent(due -> {
                boolean overdue = !due.dueAt().isAfter(now);
                statements.remindAt(due.organization(), due.id(), overdue ? null : due.dueAt());
                mail.reminder(due.organization(), due.id(), overdue);
            });
            return found.isPresent();
        });
    }
}
