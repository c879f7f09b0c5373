package dev.parley.workflow.ticket;

import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailTemplate;
import dev.parley.mail.MailOutbox;
import dev.parley.settings.Settings;
import dev.parley.workflow.ticket.core.TicketEnd;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The mails of a ticket: to the assignees (a user or every member of a team) and the claimant, even if that user made
 * the change; not to former members. Stored in the transaction of the change; the change's number in the ticket's
 * history identifies them in the outbox.
 */
@Singleton
public final class TicketMail {
    private static final int MAX_PART_LENGTH = 4_000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT);

    private final MailOutbox outbox;
    private final String publicUrl;

    @Inject
    TicketMail(MailOutbox outbox, Settings.PublicUrl publicUrl) {
        this(outbox, publicUrl.url());
    }

    TicketMail(MailOutbox outbox, String publicUrl) {
        this.outbox = outbox;
        this.publicUrl = publicUrl;
    }

    /** The ticket after a change, and the change's number. */
    private record ChangedTicket(Ticket ticket, int number) {}

    /** Announces a new ticket, and the rejected one that it replaces. */
    void created(Handle handle, OrganizationId organization, TicketId id, Optional<Ticket> replaced) {
        ChangedTicket changed = read(handle, organization, id);
        Ticket ticket = changed.ticket;
        String summary = "A ticket waits for you."
                + replaced.map(old -> " It replaces #" + old.number() + ", which was rejected.")
                        .orElse("");
        var template = template(handle, organization, ticket, summary);
        send(handle, organization, changed, "", template, Email.EmailKind.TICKET, String.valueOf(changed.number));
    }

    /**
     * Announces a change that was just stored.
     *
     * @param by as in the history
     * @param detail a comment, or the reason of an end
     */
    void updated(
            Handle handle,
            OrganizationId organization,
            TicketId id,
            TicketChange.TicketChangeKind kind,
            String by,
            @Nullable String detail) {
        updated(handle, organization, id, kind, "", by, detail);
    }

    /** Announces the end of a ticket, with the result of a rejection. */
    void ended(
            Handle handle,
            OrganizationId organization,
            TicketId id,
            TicketEnd end,
            String by,
            @Nullable String reason) {
        String consequence =
                switch (end) {
                    case REJECTION_IGNORED -> " The run goes on without the task's outputs.";
                    case REPLACED -> " A new ticket replaces it.";
                    case COMPLETED, RETRIED, REJECTED, CANCELLED -> "";
                };
        updated(handle, organization, id, TicketChange.TicketChangeKind.of(end), consequence, by, reason);
    }

    private void updated(
            Handle handle,
            OrganizationId organization,
            TicketId id,
            TicketChange.TicketChangeKind kind,
            String consequence,
            String by,
            @Nullable String detail) {
        ChangedTicket changed = read(handle, organization, id);
        String summary = "The ticket was " + verb(kind) + " by " + actor(handle, organization, by) + "." + consequence;
        var template = template(
                handle, organization, changed.ticket, detail == null ? summary : summary + "\n\n" + shortened(detail));
        send(
                handle,
                organization,
                changed,
                verb(kind) + ": ",
                template,
                Email.EmailKind.TICKET,
                String.valueOf(changed.number));
    }

    /** Sends a reminder of a ticket that is due or will be soon. */
    void reminder(Handle handle, OrganizationId organization, TicketId id, boolean overdue) {
        ChangedTicket changed = read(handle, organization, id);
        var template = template(
                handle, organization, changed.ticket, overdue ? "The ticket is due." : "The ticket is due soon.");
        send(
                handle,
                organization,
                changed,
                overdue ? "due: " : "due soon: ",
                template,
                Email.EmailKind.REMINDER,
                overdue ? "due" : "due-soon");
    }

    private void send(
            Handle handle,
            OrganizationId organization,
            ChangedTicket changed,
            String summary,
            EmailTemplate template,
            Email.EmailKind kind,
            String change) {
        Ticket ticket = changed.ticket;
        String subject = "[Ticket #" + ticket.number() + "] " + summary + ticket.title();
        String text = template.text();
        String html = template.html();
        List<Email> mails = recipients(handle, organization, ticket).stream()
                .map(email ->
                        new Email("ticket:" + ticket.id().text() + ":" + change, kind, email, subject, text, html))
                .toList();
        outbox.add(handle, organization, mails);
    }

    private EmailTemplate template(Handle handle, OrganizationId organization, Ticket ticket, String summary) {
        TicketOrigin origin = ticket.origin();
        var template = new EmailTemplate()
                .heading("#" + ticket.number() + " " + ticket.title())
                .paragraph(summary)
                .row("Ticket", "#" + ticket.number() + " (" + ticket.id().text() + ")")
                .row("Status", ticket.status().name())
                .row("Priority", ticket.priority().name())
                .row("Kind", ticket.ruleType())
                .row("Workflow", origin.workflowName())
                .row("Task", origin.taskName())
                .row("Assigned to", assigned(handle, organization, ticket));
        if (ticket.claimedBy() != null) {
            template.row("Claimed by", name(handle, organization, ticket.claimedBy()));
        }
        Instant due = ticket.dueAt();
        if (due != null) {
            template.row("Due", TIME.format(due.atOffset(ZoneOffset.UTC)));
        }
        ExceptionDetails exception = ticket.exception();
        if (exception != null) {
            template.row("Exception", exception.error()).row("Details", shortened(exception.detail()));
        }
        template.paragraph(shortened(ticket.description()));
        return template.link(
                "Open the ticket",
                publicUrl + "/organizations/" + organization.text() + "/tickets/"
                        + ticket.id().text());
    }

    private static ChangedTicket read(Handle handle, OrganizationId organization, TicketId id) {
        return handle.createQuery("""
                        SELECT %s, t.changes FROM ticket t
                        WHERE t.organization_id = :organization AND t.id = :id""".formatted(TicketRows.COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .map(row -> new ChangedTicket(TicketRows.ticket(row), row.getColumn("changes", Integer.class)))
                .one();
    }

    private static List<String> recipients(Handle handle, OrganizationId organization, Ticket ticket) {
        return handle.createQuery("""
                        SELECT u.email FROM (
                            SELECT m.user_id FROM membership m
                            WHERE m.organization_id = :organization AND m.user_id = ANY (:users::uuid[])
                            UNION
                            SELECT tm.user_id FROM team_member tm
                            JOIN team t ON t.organization_id = tm.organization_id AND t.id = tm.team_id
                            WHERE tm.organization_id = :organization AND tm.team_id = ANY (:teams::integer[])
                              AND t.deleted_at IS NULL
                        ) who
                        JOIN app_user u ON u.id = who.user_id
                        JOIN organization o ON o.id = :organization AND o.deleted_at IS NULL
                        ORDER BY u.id""")
                .bind("organization", organization)
                .bindArray("users", UUID.class, users(ticket))
                .bindArray("teams", Integer.class, teams(ticket))
                .mapTo(String.class)
                .list();
    }

    /** The assigned users, and the claimant, who may be an admin. */
    private static List<UUID> users(Ticket ticket) {
        List<UserId> users = ticket.assignments().stream()
                .filter(TicketAssignee::isUser)
                .flatMap(one -> UserId.parse(one.assigneeId()).stream())
                .collect(Collectors.toCollection(ArrayList::new));
        if (ticket.claimedBy() != null) {
            users.add(ticket.claimedBy());
        }
        return users.stream().map(UserId::value).toList();
    }

    private static List<Integer> teams(Ticket ticket) {
        return ticket.assignments().stream()
                .filter(one -> !one.isUser() && one.assigneeId().matches("[0-9]{1,9}"))
                .map(one -> Integer.valueOf(one.assigneeId()))
                .toList();
    }

    /** Names for people, such as {@code Ada, team Support}. */
    private static String assigned(Handle handle, OrganizationId organization, Ticket ticket) {
        return ticket.assignments().stream()
                .map(one -> one.isUser()
                        ? UserId.parse(one.assigneeId())
                                .map(user -> name(handle, organization, user))
                                .orElse("somebody")
                        : "team " + team(handle, organization, one.assigneeId()))
                .collect(Collectors.joining(", "));
    }

    private static String team(Handle handle, OrganizationId organization, String team) {
        return handle.createQuery("SELECT name FROM team WHERE organization_id = :organization AND id::text = :team")
                .bind("organization", organization)
                .bind("team", team)
                .mapTo(String.class)
                .findOne()
                .orElse(team);
    }

    private static String name(Handle handle, OrganizationId organization, UserId user) {
        Optional<String> name = handle.createQuery("""
                        SELECT u.name FROM membership m JOIN app_user u ON u.id = m.user_id
                        WHERE m.organization_id = :organization AND m.user_id = :user""")
                .bind("organization", organization)
                .bind("user", user)
                .mapTo(String.class)
                .findOne();
        return name.orElse("a former member");
    }

    private static String actor(Handle handle, OrganizationId organization, String by) {
        if (by.startsWith("user:")) {
            return UserId.parse(by.substring("user:".length()))
                    .map(user -> name(handle, organization, user))
                    .orElse("somebody");
        }
        return by.startsWith("api_key:")
                ? "an API key"
                : by.equals("user") ? "the user in the conversation" : "the service";
    }

    private static String verb(TicketChange.TicketChangeKind kind) {
        return switch (kind) {
            case COMMENTED -> "commented on";
            case RETRIED -> "sent back for another try";
            case CREATED, CLAIMED, RELEASED, REASSIGNED, COMPLETED, REJECTED, REPLACED, CLOSED -> kind.text();
        };
    }

    private static String shortened(String text) {
        if (text.length() <= MAX_PART_LENGTH) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_PART_LENGTH - 1)) ? MAX_PART_LENGTH - 1 : MAX_PART_LENGTH;
        return text.substring(0, end) + " …";
    }
}
