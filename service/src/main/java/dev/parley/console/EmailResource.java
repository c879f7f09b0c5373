package dev.parley.console;

import static dev.parley.http.access.Access.Caller.ADMIN;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.access.Access;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.mail.Email;
import dev.parley.mail.MailOutbox;
import dev.parley.mail.archive.ArchivedEmail;
import dev.parley.mail.archive.EmailRecipient;
import dev.parley.mail.archive.EmailSummary;
import dev.parley.mail.archive.MailArchive;
import dev.parley.organization.MemberRequest;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.ticket.TicketService;
import dev.parley.workflow.ticket.mail.TicketMail;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** The emails of an organization, sent and pending, for its admins and owners. */
@Path("/dashboard/api/organizations/{orgId}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Emails")
@Access(ADMIN)
public final class EmailResource {
    private static final int MAX_COUNT = 10_000;

    private final MailArchive archive;
    private final MailOutbox outbox;
    private final TicketService tickets;
    private final Database database;

    EmailResource(MailArchive archive, MailOutbox outbox, TicketService tickets, Database database) {
        this.tickets = tickets;
        this.outbox = outbox;
        this.database = database;
        this.archive = archive;
    }

    /** A mail with its body. */
    @Schema(name = "EmailContent", description = "An email with its body.")
    public record EmailContent(
            @JsonUnwrapped ArchivedEmail mail,

            @Schema(description = "The ticket that it is about") @Nullable
            TicketId ticketId,

            @Schema(
                    description = "The sender, to whom replies go too; null without an SMTP server",
                    examples = "Parley <parley@acme.example>")
            @Nullable
            String from,

            @Schema(description = "All who got an email of this change, at most 500")
            List<EmailRecipient> recipients,

            @Schema(description = "Null for an invitation, whose link only the invited person may see") @Nullable
            String text,

            @Schema(description = "Null for an invitation and for a plain-text mail") @Nullable
            String html) {
        public EmailContent {
            recipients = List.copyOf(recipients);
        }

        static EmailContent of(MailArchive.ArchivedContent found, Optional<String> from) {
            return new EmailContent(
                    found.mail(),
                    ticketOf(found.mail().change()),
                    from.orElse(null),
                    found.recipients(),
                    found.text(),
                    found.html());
        }
    }

    /** An email in the list. */
    @Schema(name = "EmailListItem", description = "An email with all of its recipients, and its ticket.")
    public record EmailListItem(
            @JsonUnwrapped EmailSummary summary,

            @Schema(description = "The ticket that it is about") @Nullable
            TicketId ticketId,

            @Schema(description = "The number of the ticket", examples = "12") @Nullable
            Integer ticketNumber) {}

    /**
     * The number of emails.
     *
     * @param orMore whether there may be more, because counting stopped at the limit
     */
    @Schema(name = "EmailCount", description = "The number of emails.")
    public record EmailCount(@Schema(examples = "7") int count, boolean orMore) {}

    private static @Nullable TicketId ticketOf(String change) {
        return TicketMail.ticketOf(Email.announcedChange(change)).orElse(null);
    }

    @GET
    @Path("/emails")
    @Operation(
            summary = "List emails",
            description = "Newest first, without their bodies; each has one recipient. Kept for 30 "
                    + "days. `KEPT` mails wait for the configuration of an SMTP server; an `UNCERTAIN` one may have "
                    + "been sent, and is not sent again.")
    public Page<ArchivedEmail> list(
            @BeanParam MemberRequest member, @BeanParam EmailFilterParameters parameters, @BeanParam PageRequest page) {
        return page.page(
                archive.list(member.organization(), parameters.filter(), page.after(MailId::parse), page.rows()),
                mail -> mail.id().text());
    }

    @GET
    @Path("/email-summaries")
    @Operation(
            summary = "List emails with all of their recipients",
            description = "Newest first; an email to several recipients is one item, which is "
                    + "listed if the mail to one of them matches the filters.")
    public Page<EmailListItem> summaries(
            @BeanParam MemberRequest member, @BeanParam EmailFilterParameters parameters, @BeanParam PageRequest page) {
        List<EmailSummary> found =
                archive.summaries(member.organization(), parameters.filter(), page.after(MailId::parse), page.rows());
        Map<TicketId, Integer> numbers = tickets.numbers(
                member.organization(),
                found.stream()
                        .map(one -> ticketOf(one.change()))
                        .filter(Objects::nonNull)
                        .distinct()
                        .toList());
        return page.page(
                found.stream()
                        .map(one -> {
                            TicketId ticket = ticketOf(one.change());
                            return new EmailListItem(one, ticket, ticket == null ? null : numbers.get(ticket));
                        })
                        .toList(),
                item -> item.summary().id().text());
    }

    @GET
    @Path("/email-summaries/count")
    @Operation(
            summary = "Count emails",
            description = "The number of items of `email-summaries` with these filters. `or_more` "
                    + "means that counting stopped at 10,000.")
    public EmailCount count(@BeanParam MemberRequest member, @BeanParam EmailFilterParameters parameters) {
        int found = archive.count(member.organization(), parameters.filter(), MAX_COUNT + 1);
        return new EmailCount(Math.min(found, MAX_COUNT), found > MAX_COUNT);
    }

    @GET
    @Path("/emails/{emailId}")
    @Operation(summary = "Read an email", description = "Includes the text and HTML.")
    public EmailContent get(@BeanParam MemberRequest member, @PathParam("emailId") MailId id) {
        return find(member.organization(), id);
    }

    @POST
    @Path("/emails/{emailId}/resend")
    @ResponseStatus(201)
    @Operation(
            summary = "Send an email again",
            description = "Adds a new email with the same content, for one that was sent, failed, "
                    + "is uncertain, or was held. Invitations are sent again by inviting the person again.")
    @APIResponseSchema(value = EmailContent.class, responseCode = "201", responseDescription = "The new email")
    @APIResponse(
            responseCode = "409",
            description =
                    "It is an invitation, is still to be sent, was sent again already, its recipient may no longer "
                            + "get it, or no SMTP server is configured")
    public EmailContent resend(@BeanParam MemberRequest member, @PathParam("emailId") MailId id) {
        OrganizationId organization = member.organization();
        return find(organization, database.transaction(() -> outbox.resend(organization, id)));
    }

    private EmailContent find(OrganizationId organization, MailId id) {
        return archive.find(organization, id)
                .map(found -> EmailContent.of(found, outbox.from()))
                .orElseThrow(() -> ApiProblem.notFound("email"));
    }
}
