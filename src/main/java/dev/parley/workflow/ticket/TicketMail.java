package dev.parley.workflow.ticket;

import dev.parley.http.StrictJson;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailTemplate;
import dev.parley.mail.MailOutbox;
import dev.parley.organization.TicketEmailKind;
import dev.parley.problem.Text;
import dev.parley.settings.Settings;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.core.TicketStatus;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The mails of a ticket: to the assignees (a user or every member of a team), the claimant, and the users whom a comment
 * mentions, except to the user who made the change, to former members and to users who turned off that kind of email.
 * Stored in the transaction of the change; the change's number in the ticket's history identifies them in the outbox.
 */
@Singleton
public final class TicketMail {
    private static final int MAX_PART_LENGTH = 4_000;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEEE, d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH);
    private static final String CHANGE = "ticket:";
    private static final String FORMER_MEMBER = "a former member";
    private static final String FOOTER =
            "You get this email because the ticket is assigned to you or to a team of yours,"
                    + " or because you claimed it.";

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
    private record ChangedTicket(Ticket ticket, int number, Map<String, @Nullable Object> inputs) {}

    /** The ticket that a mail is about, by the change that it announces. */
    public static Optional<TicketId> ticketOf(String change) {
        String[] parts = change.split(":", -1);
        return change.startsWith(CHANGE) ? TicketId.parse(parts[1]) : Optional.empty();
    }

    /** Announces a new ticket, and the rejected one that it replaces. */
    void created(Handle handle, OrganizationId organization, TicketId id, Optional<Ticket> replaced) {
        ChangedTicket changed = read(handle, organization, id);
        Ticket ticket = changed.ticket;
        String summary = ticket.exception() == null
                ? "An agent needs your answer before its run can continue."
                : "A task failed. Retry it, provide its outputs, or let the run fail.";
        String reference = replaced.map(old -> " This ticket follows #" + old.number() + ", which was "
                        + (old.status() == TicketStatus.RESOLVED ? "retried." : "rejected."))
                .orElse("");
        String test = ticket.origin().testRun() ? "This is a test run. " : "";
        var template = template(handle, organization, changed, test + summary + reference);
        send(
                organization,
                changed,
                "",
                template,
                TicketEmailKind.NEW_TICKETS,
                String.valueOf(changed.number),
                assignees(handle, organization, ticket, TicketEmailKind.NEW_TICKETS, List.of()));
    }

    /**
     * Announces a change that was just stored. Users whom a comment mentions get an email that says so, also if they are
     * not assigned, instead of the one to the assignees.
     *
     * @param by as in the history
     * @param detail a comment, or the reason of an end
     * @param mentions the users whom a comment mentions
     */
    void updated(
            Handle handle,
            OrganizationId organization,
            TicketId id,
            TicketChange.TicketChangeKind kind,
            String by,
            @Nullable String detail,
            List<UserId> mentions) {
        updated(handle, organization, id, kind, "", by, detail, mentions);
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
                    case REJECTION_IGNORED -> " The run continues without the task's outputs.";
                    case REPLACED -> " A new ticket replaces it.";
                    case CANCELLED -> " The run no longer needs an answer.";
                    case CALL_REJECTED -> " The run continues without the call.";
                    case COMPLETED, CALL_APPROVED, RETRIED, REJECTED -> "";
                };
        updated(handle, organization, id, TicketChange.TicketChangeKind.of(end), consequence, by, reason, List.of());
    }

    private void updated(
            Handle handle,
            OrganizationId organization,
            TicketId id,
            TicketChange.TicketChangeKind kind,
            String consequence,
            String by,
            @Nullable String detail,
            List<UserId> mentions) {
        ChangedTicket changed = read(handle, organization, id);
        String actor = actor(handle, organization, by);
        String suffix = detail == null ? "" : "\n\n" + shortened(detail);
        String summary = detail(kind, actor) + consequence;
        List<UserId> author = UserId.ofAuthor(by).stream().toList();
        send(
                organization,
                changed,
                verb(kind) + ": ",
                template(handle, organization, changed, summary + suffix),
                emailKind(kind),
                String.valueOf(changed.number),
                assignees(
                        handle,
                        organization,
                        changed.ticket,
                        emailKind(kind),
                        Stream.concat(author.stream(), mentions.stream()).toList()));
        if (!mentions.isEmpty()) {
            mentioned(handle, organization, changed, actor + " mentioned you", suffix, mentions, author);
        }
    }

    private void mentioned(
            Handle handle,
            OrganizationId organization,
            ChangedTicket changed,
            String summary,
            String comment,
            List<UserId> mentions,
            List<UserId> author) {
        String sentence = summary + " on ticket #" + changed.ticket.number() + ".";
        send(
                organization,
                changed,
                summary + ": ",
                template(handle, organization, changed, sentence + comment)
                        .footer("You get this email because " + summary + "."),
                TicketEmailKind.COMMENTS,
                changed.number + ":mentions",
                recipients(handle, organization, TicketEmailKind.COMMENTS, mentions, List.of(), author));
    }

    /** Sends a reminder of a ticket that is due or will be soon. */
    void reminder(Handle handle, OrganizationId organization, TicketId id, boolean overdue) {
        ChangedTicket changed = read(handle, organization, id);
        var template = template(
                handle, organization, changed, overdue ? "This ticket is due now." : "This ticket is due soon.");
        send(
                organization,
                changed,
                overdue ? "due: " : "due soon: ",
                template,
                TicketEmailKind.REMINDERS,
                overdue ? "due" : "due-soon",
                assignees(handle, organization, changed.ticket, TicketEmailKind.REMINDERS, List.of()));
    }

    private void send(
            OrganizationId organization,
            ChangedTicket changed,
            String summary,
            EmailTemplate template,
            TicketEmailKind kind,
            String change,
            List<String> recipients) {
        Ticket ticket = changed.ticket;
        String subject = "[Ticket #" + ticket.number() + "] " + summary + ticket.title();
        String text = template.text();
        String html = template.html();
        Email.EmailKind listedAs =
                kind == TicketEmailKind.REMINDERS ? Email.EmailKind.REMINDER : Email.EmailKind.TICKET;
        List<Email> mails = recipients.stream()
                .map(to -> new Email(CHANGE + ticket.id().text() + ":" + change, listedAs, to, subject, text, html))
                .toList();
        outbox.add(organization, mails);
    }

    private EmailTemplate template(Handle handle, OrganizationId organization, ChangedTicket changed, String summary) {
        Ticket ticket = changed.ticket;
        TicketOrigin origin = ticket.origin();
        var template = new EmailTemplate()
                .heading("#" + ticket.number() + " " + ticket.title())
                .paragraph(summary)
                .row("Agent", origin.workflowName());
        if (!ticket.title().contains(origin.taskName())) {
            template.row("Task", origin.taskName());
        }
        Instant due = ticket.dueAt();
        if (due != null) {
            template.row("Due", TIME.format(due.atOffset(ZoneOffset.UTC)));
        }
        template.row("Status", label(ticket.status()));
        if (ticket.priority() == Ticket.Priority.HIGH) {
            template.row("Priority", "High");
        }
        template.row("Assigned to", assigned(handle, organization, ticket));
        if (ticket.claimedBy() != null) {
            template.row("Claimed by", name(handle, organization, ticket.claimedBy()));
        }
        ExceptionDetails exception = ticket.exception();
        if (exception != null) {
            template.row("Error", exception.error()).row("Details", shortened(exception.detail()));
        }
        template.markdown(shortened(ticket.description()));
        TicketText.labelled(changed.inputs).forEach(template::row);
        return template.link(
                        "Open ticket #" + ticket.number(),
                        publicUrl + "/organizations/" + organization.text() + "/tickets/"
                                + ticket.id().text())
                .footer(FOOTER)
                .footerLink("Change which emails you get", publicUrl + "/account");
    }

    private static String label(TicketStatus status) {
        return switch (status) {
            case OPEN -> "Open";
            case IN_PROGRESS -> "In progress";
            case RESOLVED -> "Resolved";
            case REJECTED -> "Rejected";
            case CLOSED -> "Closed";
        };
    }

    private static ChangedTicket read(Handle handle, OrganizationId organization, TicketId id) {
        return handle.createQuery("""
                        SELECT %s, t.changes, t.inputs FROM ticket t
                        WHERE t.organization_id = :organization AND t.id = :id""".formatted(TicketRows.COLUMNS))
                .bind("organization", organization)
                .bind("id", id)
                .map(row -> new ChangedTicket(
                        TicketRows.ticket(row),
                        row.getColumn("changes", Integer.class),
                        StrictJson.readObject(row.getColumn("inputs", String.class))))
                .one();
    }

    /** The addresses of the assigned users, the members of the assigned teams, and the claimant. */
    private static List<String> assignees(
            Handle handle, OrganizationId organization, Ticket ticket, TicketEmailKind kind, List<UserId> except) {
        return recipients(handle, organization, kind, users(ticket), teams(ticket), except);
    }

    private static List<String> recipients(
            Handle handle,
            OrganizationId organization,
            TicketEmailKind kind,
            List<UserId> users,
            List<Integer> teams,
            List<UserId> except) {
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
                        WHERE u.id <> ALL (:except::uuid[]) AND u.%s
                        ORDER BY u.id""".formatted(kind.column()))
                .bind("organization", organization)
                .bindArray("users", UUID.class, uuids(users))
                .bindArray("teams", Integer.class, teams)
                .bindArray("except", UUID.class, uuids(except))
                .mapTo(String.class)
                .list();
    }

    /** The assigned users, and the claimant, who may be an admin. */
    private static List<UserId> users(Ticket ticket) {
        List<UserId> users = ticket.assignments().stream()
                .filter(TicketAssignee::isUser)
                .flatMap(one -> UserId.parse(one.assigneeId()).stream())
                .collect(Collectors.toCollection(ArrayList::new));
        if (ticket.claimedBy() != null) {
            users.add(ticket.claimedBy());
        }
        return users;
    }

    private static List<UUID> uuids(List<UserId> users) {
        return users.stream().map(UserId::value).toList();
    }

    private static List<Integer> teams(Ticket ticket) {
        return ticket.assignments().stream()
                .filter(one -> !one.isUser() && one.assigneeId().matches("[0-9]{1,9}"))
                .map(one -> Integer.valueOf(one.assigneeId()))
                .toList();
    }

    /** Names for people, such as {@code Ada, Team Support}. */
    private static String assigned(Handle handle, OrganizationId organization, Ticket ticket) {
        return ticket.assignments().stream()
                .map(one -> one.isUser()
                        ? UserId.parse(one.assigneeId())
                                .map(user -> name(handle, organization, user))
                                .orElse(FORMER_MEMBER)
                        : "Team " + team(handle, organization, one.assigneeId()))
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
        return name.orElse(FORMER_MEMBER);
    }

    /** The person or program that made a change, as the start of a sentence. */
    private static String actor(Handle handle, OrganizationId organization, String by) {
        Optional<UserId> user = UserId.ofAuthor(by);
        if (user.isPresent()) {
            String name = name(handle, organization, user.get());
            return name.equals(FORMER_MEMBER) ? "A former member" : name;
        }
        return by.startsWith("api_key:") ? "An API key" : by.equals("user") ? "The user in the conversation" : "Parley";
    }

    private static String detail(TicketChange.TicketChangeKind kind, String actor) {
        return switch (kind) {
            case RETRIED -> actor + " retried the task.";
            case COMMENTED -> actor + " commented on this ticket.";
            case TAKEN_OVER -> actor + " took over this ticket.";
            case CREATED, CLAIMED, RELEASED, REASSIGNED, COMPLETED, REJECTED, REPLACED, CLOSED ->
                actor + " " + kind.text() + " this ticket.";
        };
    }

    /** The email of a reassignment goes to the new assignees only, for whom the ticket is new. */
    private static TicketEmailKind emailKind(TicketChange.TicketChangeKind kind) {
        return switch (kind) {
            case CREATED, REASSIGNED -> TicketEmailKind.NEW_TICKETS;
            case COMMENTED -> TicketEmailKind.COMMENTS;
            case CLAIMED, TAKEN_OVER, RELEASED, COMPLETED, REJECTED, RETRIED, REPLACED, CLOSED ->
                TicketEmailKind.CHANGES;
        };
    }

    private static String verb(TicketChange.TicketChangeKind kind) {
        return switch (kind) {
            case COMMENTED -> "commented on";
            case TAKEN_OVER -> "taken over";
            case CREATED, CLAIMED, RELEASED, REASSIGNED, COMPLETED, REJECTED, RETRIED, REPLACED, CLOSED -> kind.text();
        };
    }

    private static String shortened(String text) {
        return Text.truncate(text, MAX_PART_LENGTH, " …");
    }
}
