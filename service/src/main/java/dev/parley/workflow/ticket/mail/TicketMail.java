package dev.parley.workflow.ticket.mail;

import dev.parley.db.Database;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.id.UserId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailTemplate;
import dev.parley.mail.MailOutbox;
import dev.parley.organization.user.TicketEmailKind;
import dev.parley.problem.Text;
import dev.parley.settings.Settings;
import dev.parley.workflow.ticket.core.TicketEnd;
import dev.parley.workflow.ticket.core.TicketStatus;
import dev.parley.workflow.ticket.store.ExceptionDetails;
import dev.parley.workflow.ticket.store.Ticket;
import dev.parley.workflow.ticket.store.TicketAssignee;
import dev.parley.workflow.ticket.store.TicketChange.TicketChangeKind;
import dev.parley.workflow.ticket.store.TicketOrigin;
import dev.parley.workflow.ticket.store.TicketStore;
import dev.parley.workflow.ticket.store.TicketStore.ChangedTicket;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private final TicketStore statements;
    private final MailOutbox outbox;
    private final String publicUrl;

    public @Inject TicketMail(Database database, MailOutbox outbox, Settings.PublicUrl publicUrl) {
        this(database, outbox, publicUrl.url());
    }

    public TicketMail(Database database, MailOutbox outbox, String publicUrl) {
        this.statements = database.statements(TicketStore.class);
        this.outbox = outbox;
        this.publicUrl = publicUrl;
    }

    /** The ticket that a mail is about, by the change that it announces. */
    public static Optional<TicketId> ticketOf(String change) {
        String[] parts = change.split(":", -1);
        return change.startsWith(CHANGE) ? TicketId.parse(parts[1]) : Optional.empty();
    }

    /** Announces a new ticket, and the rejected one that it replaces. */
    public void created(OrganizationId organization, TicketId id, Optional<Ticket> replaced) {
        ChangedTicket changed = statements.changed(organization, id);
        String summary = changed.ticket().exception() == null
                ? "An agent needs your answer before its run can continue."
                : "A task failed. Retry it, provide its outputs, or let the run fail.";
        String reference = replaced.map(old -> " This ticket follows #" + old.number() + ", which was "
                        + (old.status() == TicketStatus.RESOLVED ? "retried." : "rejected."))
                .orElse("");
        String test = changed.ticket().origin().testRun() ? "This is a test run. " : "";
        send(
                organization,
                changed,
                "",
                template(organization, changed, test + summary + reference),
                TicketEmailKind.NEW_TICKETS,
                String.valueOf(changed.changes()),
                assignees(organization, changed.ticket(), TicketEmailKind.NEW_TICKETS, List.of()));
    }

    /** Announces the end of a ticket, with the result of a rejection. */
    public void ended(
            OrganizationId organization, ChangedTicket changed, TicketEnd end, String by, @Nullable String reason) {
        String consequence =
                switch (end) {
                    case REJECTION_IGNORED -> " The run continues without the task's outputs.";
                    case REPLACED -> " A new ticket replaces it.";
                    case CANCELLED -> " The run no longer needs an answer.";
                    case CALL_REJECTED -> " The run continues without the call.";
                    case COMPLETED, CALL_APPROVED, RETRIED, REJECTED -> "";
                };
        updated(organization, changed, TicketChangeKind.of(end), consequence, by, reason, List.of());
    }

    /**
     * Announces a change that was just stored. Users whom a comment mentions get an email that says so, also if they are
     * not assigned, instead of the one to the assignees.
     *
     * @param consequence a further sentence; empty for none
     * @param by as in the history
     * @param detail a comment, or the reason of an end
     * @param mentions the users whom a comment mentions
     */
    public void updated(
            OrganizationId organization,
            ChangedTicket changed,
            TicketChangeKind kind,
            String consequence,
            String by,
            @Nullable String detail,
            List<UserId> mentions) {
        String actor = actor(organization, by);
        String suffix = detail == null ? "" : "\n\n" + shortened(detail);
        List<UserId> author = UserId.ofAuthor(by).stream().toList();
        List<UserId> except = Stream.concat(author.stream(), mentions.stream()).toList();
        send(
                organization,
                changed,
                verb(kind) + ": ",
                template(organization, changed, detail(kind, actor) + consequence + suffix),
                emailKind(kind),
                String.valueOf(changed.changes()),
                assignees(organization, changed.ticket(), emailKind(kind), except));
        if (!mentions.isEmpty()) {
            String summary = actor + " mentioned you";
            String sentence = summary + " on ticket #" + changed.ticket().number() + ".";
            send(
                    organization,
                    changed,
                    summary + ": ",
                    template(organization, changed, sentence + suffix)
                            .footer("You get this email because " + summary + "."),
                    TicketEmailKind.COMMENTS,
                    changed.changes() + ":mentions",
                    statements.recipients(
                            organization, mentions, List.of(), author, TicketEmailKind.COMMENTS.column()));
        }
    }

    /** Sends a reminder of a ticket that is due or will be soon. */
    void reminder(OrganizationId organization, TicketId id, boolean overdue) {
        ChangedTicket changed = statements.changed(organization, id);
        send(
                organization,
                changed,
                overdue ? "due: " : "due soon: ",
                template(organization, changed, overdue ? "This ticket is due now." : "This ticket is due soon."),
                TicketEmailKind.REMINDERS,
                overdue ? "due" : "due-soon",
                assignees(organization, changed.ticket(), TicketEmailKind.REMINDERS, List.of()));
    }

    private void send(
            OrganizationId organization,
            ChangedTicket changed,
            String summary,
            EmailTemplate template,
            TicketEmailKind kind,
            String change,
            List<String> recipients) {
        Ticket ticket = changed.ticket();
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

    private EmailTemplate template(OrganizationId organization, ChangedTicket changed, String summary) {
        Ticket ticket = changed.ticket();
        TicketOrigin origin = ticket.origin();
        Map<UserId, String> members = statements.memberNames(organization, users(ticket));
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
        template.row("Assigned to", assigned(organization, ticket, members));
        UserId claimant = ticket.claimedBy();
        if (claimant != null) {
            template.row("Claimed by", members.getOrDefault(claimant, FORMER_MEMBER));
        }
        ExceptionDetails exception = ticket.exception();
        if (exception != null) {
            template.row("Error", exception.error()).row("Details", shortened(exception.detail()));
        }
        template.markdown(shortened(ticket.description()));
        TicketText.labelled(changed.inputs()).forEach(template::row);
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

    /** The addresses of the assigned users, the members of the assigned teams, and the claimant. */
    private List<String> assignees(
            OrganizationId organization, Ticket ticket, TicketEmailKind kind, List<UserId> except) {
        return statements.recipients(organization, users(ticket), teams(ticket), except, kind.column());
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

    private static List<Integer> teams(Ticket ticket) {
        return ticket.assignments().stream()
                .filter(assignee -> !assignee.isUser())
                .map(TicketMail::number)
                .filter(team -> team > 0)
                .toList();
    }

    /** The id of a team; 0 if it is not one. */
    private static int number(TicketAssignee team) {
        return team.assigneeId().matches("[0-9]{1,9}") ? Integer.parseInt(team.assigneeId()) : 0;
    }

    /** Names for people, such as {@code Ada, Team Support}. */
    private String assigned(OrganizationId organization, Ticket ticket, Map<UserId, String> members) {
        Map<Integer, String> teams = statements.teamNames(organization, teams(ticket));
        return ticket.assignments().stream()
                .map(assignee -> assignee.isUser()
                        ? UserId.parse(assignee.assigneeId()).map(members::get).orElse(FORMER_MEMBER)
                        : "Team " + teams.getOrDefault(number(assignee), assignee.assigneeId()))
                .collect(Collectors.joining(", "));
    }

    /** The person or program that made a change, as the start of a sentence. */
    private String actor(OrganizationId organization, String by) {
        return UserId.ofAuthor(by)
                .map(user -> statements.memberNames(organization, List.of(user)).getOrDefault(user, "A former member"))
                .orElseGet(() -> by.startsWith("api_key:")
                        ? "An API key"
                        : by.equals("user") ? "The user in the conversation" : "Parley");
    }

    private static String detail(TicketChangeKind kind, String actor) {
        return switch (kind) {
            case RETRIED -> actor + " retried the task.";
            case COMMENTED -> actor + " commented on this ticket.";
            case TAKEN_OVER -> actor + " took over this ticket.";
            case CREATED, CLAIMED, RELEASED, REASSIGNED, COMPLETED, REJECTED, REPLACED, CLOSED ->
                actor + " " + kind.text() + " this ticket.";
        };
    }

    /** The email of a reassignment goes to the new assignees only, for whom the ticket is new. */
    private static TicketEmailKind emailKind(TicketChangeKind kind) {
        return switch (kind) {
            case CREATED, REASSIGNED -> TicketEmailKind.NEW_TICKETS;
            case COMMENTED -> TicketEmailKind.COMMENTS;
            case CLAIMED, TAKEN_OVER, RELEASED, COMPLETED, REJECTED, RETRIED, REPLACED, CLOSED ->
                TicketEmailKind.CHANGES;
        };
    }

    private static String verb(TicketChangeKind kind) {
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
