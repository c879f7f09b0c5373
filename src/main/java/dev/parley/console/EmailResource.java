package dev.parley.console;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.db.Database;
import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.mail.Email;
import dev.parley.mail.EmailSummary;
import dev.parley.mail.MailArchive;
import dev.parley.mail.MailOutbox;
import dev.parley.mail.MailState;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
     * @param text null if the body is confidential, as in an invitation
     * @param html null if there is none
     */
    @Schema(name = "EmailContent", description = "An e-mail with its body.")
    public record EmailContent(
            @JsonUnwrapped EmailSummary mail,

            @Schema(description = "Null for an invitation, whose link only the invited person may see") @Nullable
            String text,

            @Schema(description = "Null for an invitation and for a plain-text mail") @Nullable
            String html) {}

    @GET
    @Operation(
            summary = "List e-mails",
            description = "Owners and admins. Newest first, without their bodies. Kept for 30 days. `KEPT` mails "
                    + "wait for the configuration of an SMTP server; an `UNCERTAIN` one may have been sent, "
                    + "and is not sent again.")
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
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(DashboardUser.of(request), orgId, Role.ADMIN);
        var checks = new RequestValidator();
        Set<MailState> states = several(state, "state", EmailResource::state, MailState.values(), checks);
        Set<Email.EmailKind> kinds = several(kind, "kind", Email.EmailKind::parse, kindNames(), checks);
        checks.done();
        int max = Page.limit(limit);
        Optional<MailId> cursor = Page.after(after, MailId::parse);
        return Page.of(archive.list(organization, states, kinds, cursor, max + 1), max, mail -> mail.id()
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
        return archive.find(organization, id)
                .map(found -> new EmailContent(found.mail(), found.text(), found.html()))
                .orElseThrow(() -> ApiProblem.notFound("e-mail"));
    }

    private static Optional<MailState> state(String name) {
        return Arrays.stream(MailState.values())
                .filter(one -> one.name().equals(name))
                .findFirst();
    }

    private static Object[] kindNames() {
        return Email.EmailKind.listed().stream().map(Email.EmailKind::text).toArray();
    }

    private static <T> Set<T> several(
            @Nullable String text,
            String name,
            Function<String, Optional<T>> parse,
            Object[] allowed,
            RequestValidator checks) {
        Set<T> requested = new HashSet<>();
        if (text == null) {
            return requested;
        }
        for (String one : text.split(",", -1)) {
            Optional<T> value = parse.apply(one);
            if (value.isEmpty()) {
                checks.add(Violation.parameter(
                        name, "'" + name + "' must be one or more of " + Arrays.toString(allowed) + "."));
                return requested;
            }
            requested.add(value.get());
        }
        return requested;
    }
}
