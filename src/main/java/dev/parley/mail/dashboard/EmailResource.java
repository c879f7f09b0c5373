package dev.parley.mail.dashboard;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.http.Checks;
import dev.parley.http.Page;
import dev.parley.http.Person;
import dev.parley.id.MailId;
import dev.parley.id.OrganizationId;
import dev.parley.mail.ListedMail;
import dev.parley.mail.Mail;
import dev.parley.mail.MailArchive;
import dev.parley.mail.MailState;
import dev.parley.organization.Access;
import dev.parley.organization.Role;
import dev.parley.problem.Fault;
import dev.parley.problem.Problem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
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
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The e-mails of an organization, sent and waiting, for its admins and owners (DECISIONS 10). */
@Path("/dashboard/api/organizations/{orgId}/emails")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "E-mails")
public final class EmailResource {
    private final MailArchive archive;
    private final Access access;

    EmailResource(MailArchive archive, Access access) {
        this.archive = archive;
        this.access = access;
    }

    /**
     * A mail with its body.
     *
     * @param text null where the body is confidential, as an invitation's is
     * @param html null where there is none
     */
    @Schema(name = "EmailContent", description = "An e-mail with its body.")
    public record Content(
            @JsonUnwrapped ListedMail mail,

            @Schema(description = "Null of an invitation, whose link nobody but the invited person may see") @Nullable
            String text,

            @Schema(description = "Null of an invitation, and of a mail of plain text") @Nullable
            String html) {}

    @GET
    @Operation(
            summary = "List e-mails",
            description =
                    "Owners and admins. Newest first, without their bodies. Kept for 30 days. `KEPT` mails wait for"
                            + " an SMTP server to be set; an `UNCERTAIN` one may have been sent, and is not sent again.")
    public Page<ListedMail> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = "One state or several, separated by commas", example = "PENDING,FAILED")
                    @QueryParam("state")
                    @Nullable
                    String state,
            @Parameter(description = "One kind or several, separated by commas", example = "ticket,reminder")
                    @QueryParam("kind")
                    @Nullable
                    String kind,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId organization = access.require(Person.of(request), orgId, Role.ADMIN);
        var checks = new Checks();
        Set<MailState> states = several(state, "state", EmailResource::state, MailState.values(), checks);
        Set<Mail.Kind> kinds = several(kind, "kind", Mail.Kind::parse, kindNames(), checks);
        checks.done();
        int most = Page.limit(limit);
        Optional<MailId> cursor = Page.after(after, MailId::parse);
        return Page.of(archive.list(organization, states, kinds, cursor, most + 1), most, mail -> mail.id()
                .text());
    }

    @GET
    @Path("/{emailId}")
    @Operation(summary = "Read an e-mail", description = "Owners and admins. With its text and HTML.")
    public Content get(
            @PathParam("orgId") String orgId, @PathParam("emailId") String emailId, @Context RoutingContext request) {
        OrganizationId organization = access.require(Person.of(request), orgId, Role.ADMIN);
        MailId id = Checks.pathId(emailId, "e-mail", MailId::parse);
        return archive.find(organization, id)
                .map(found -> new Content(found.mail(), found.text(), found.html()))
                .orElseThrow(() -> Problem.notFound("e-mail"));
    }

    private static Optional<MailState> state(String name) {
        return Arrays.stream(MailState.values())
                .filter(one -> one.name().equals(name))
                .findFirst();
    }

    private static Object[] kindNames() {
        return Arrays.stream(Mail.Kind.values()).map(Mail.Kind::text).toArray();
    }

    private static <T> Set<T> several(
            @Nullable String text, String name, Function<String, Optional<T>> parse, Object[] allowed, Checks checks) {
        Set<T> wanted = new HashSet<>();
        if (text == null) {
            return wanted;
        }
        for (String one : text.split(",", -1)) {
            Optional<T> value = parse.apply(one);
            if (value.isEmpty()) {
                checks.add(Fault.parameter(
                        name, "'" + name + "' must be one or more of " + Arrays.toString(allowed) + "."));
                return wanted;
            }
            wanted.add(value.get());
        }
        return wanted;
    }
}
