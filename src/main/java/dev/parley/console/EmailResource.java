package dev.parley.console;

import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.id.TicketId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailRecipient;
import dev.parley.mail.EmailSummary;
import dev.parley.mail.MailArchive;
import dev.parley.mail.MailOutbox;
import dev.parley.mail.MailState;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.workflow.ticket.TicketMail;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** The e-mails of an organization, sent and pending, for its admins and owners. */
@Path("/dashboard/api/organizations/{orgId}/emails")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "E-mails")
public final class EmailResource {
    private static final int MAX_SEARCH = 200;
    private static final List<String> KINDS =
            Email.EmailKind.listed().stream().map(Email.EmailKind::text).toList();

    private final MailArchive archive;
    private final MailOutbox outbox;
    private final Database database;
    private final OrganizationAccess access;

    EmailResource(MailArchive archive, MailOutbox outbox, Database database, OrganizationAccess access) {
        this.outbox = outbox;
        this.database = database;
        this.archive = archive;
        this.access = access;
    }

    /**
     * A mail with its body.
     *
     * @param ticketId null unless the mail is about a ticket
     * @param text null if the body is confidential, as in an invitation
     * @param html null if there is none
     */
    @Schema(name = "EmailContent", description = "An e-mail with its body.")
    public record EmailContent(
            MailId id,

            @Schema(enumeration = {"ticket", "reminder", "invitation", "tool"})
            String kind,

            String subject,

            @Schema(description = "Identifies the announced change")
            String change,

            Instant createdAt,

            @Schema(description = "The ticket that it is about") @Nullable
            TicketId ticketId,

            @Schema(description = "At most 500") List<EmailRecipient> recipients,

            @Schema(description = "Null for an invitation, whose link only the invited person may see") @Nullable
            String text,

            @Schema(description = "Null for an invitation and for a plain-text mail") @Nullable
            String html) {
        public EmailContent {
            recipients = List.copyOf(recipients);
        }

        static EmailContent of(MailArchive.ArchivedContent mail) {
            return new EmailContent(
                    mail.id(),
                    mail.kind(),
                    mail.subject(),
                    mail.change(),
                    mail.createdAt(),
                    TicketMail.ticketOf(mail.change()).orElse(null),
                    mail.recipients(),
                    mail.text(),
                    mail.html());
        }
    }

    @GET
    @Operation(
            summary = "List e-mails",
            description = "Owners and admins. Newest first, without their bodies; an e-mail to several recipients is "
                    + "one item, which is listed if the mail to one of them matches the filters. Kept for 30 days. "
                    + "`KEPT` mails wait for the configuration of an SMTP server; an `UNCERTAIN` one may have been "
                    + "sent, and is not sent again.")
    public Page<EmailSummary> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = "One or more states, separated by commas", example = "PENDING,FAILED")
                    @QueryParam("state")
                    @Nullable
                    String state,
            @Parameter(description = "One or more kinds, separated by commas", example = "ticket,reminder")
                    @QueryParam("kind")
                    @Nullable
                    String kind,
            @Parameter(
                            description = "Words that the recipient's address or the subject contains, in any case, "
                                    + "in the newest 20,000 mails of each state and kind that match the other filters")
                    @QueryParam("search")
                    @Nullable
                    String search,
            @Parameter(description = "From this time on, RFC 3339") @QueryParam("since") @Nullable String since,
            @Parameter(description = "Before this time, RFC 3339") @QueryParam("until") @Nullable String until,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        var checks = new RequestValidator();
        var filter = new MailArchive.MailFilter(
                checks.parameterEnums(state, "state", MailState.class),
                kinds(kind, checks),
                checks.parameterSearch(search, MAX_SEARCH),
                checks.parameterTime(since, "since"),
                checks.parameterTime(until, "until"));
        checks.done();
        int max = Page.limit(limit);
        Optional<MailId> cursor = Page.after(after, MailId::parse);
        return Page.of(archive.list(organization, filter, cursor, max + 1), max, mail -> mail.id()
                .text());
    }

    @GET
    @Path("/{emailId}")
    @Operation(summary = "Read an e-mail", description = "Owners and admins. Includes the text and HTML.")
    public EmailContent get(
            @PathParam("orgId") String orgId, @PathParam("emailId") String emailId, @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        return find(organization, RequestValidator.pathId(emailId, "e-mail", MailId::parse));
    }

    @POST
    @Path("/{emailId}/resend")
    @ResponseStatus(201)
    @Operation(
            summary = "Send an e-mail again",
            description = "Owners and admins. Adds a new e-mail with the same content, for one that was sent, failed, "
                    + "is uncertain, or was held. Invitations are sent again by inviting the person again.")
    @APIResponseSchema(value = EmailContent.class, responseCode = "201", responseDescription = "The new e-mail")
    @APIResponse(
            responseCode = "409",
            description =
                    "It is an invitation, is still to be sent, was sent again already, its recipient may no longer "
                            + "get it, or no SMTP server is configured")
    public EmailContent resend(
            @PathParam("orgId") String orgId, @PathParam("emailId") String emailId, @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        MailId id = RequestValidator.pathId(emailId, "e-mail", MailId::parse);
        return find(organization, database.transaction(handle -> outbox.resend(handle, organization, id)));
    }

    private EmailContent find(OrganizationId organization, MailId id) {
        return archive.find(organization, id).map(EmailContent::of).orElseThrow(() -> ApiProblem.notFound("e-mail"));
    }

    private static Set<Email.EmailKind> kinds(@Nullable String text, RequestValidator checks) {
        Set<Email.EmailKind> requested = EnumSet.noneOf(Email.EmailKind.class);
        if (text == null) {
            return requested;
        }
        for (String one : text.split(",", -1)) {
            Optional<Email.EmailKind> kind = Email.EmailKind.parse(one);
            kind.ifPresent(requested::add);
            checks.requireParameter(kind.isPresent(), "kind", "'kind' must be one or more of " + KINDS + ".");
        }
        return requested;
    }
}
