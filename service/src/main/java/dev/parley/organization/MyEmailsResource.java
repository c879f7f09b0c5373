package dev.parley.organization;

import static dev.parley.http.Access.Caller.USER;

import dev.parley.db.Database;
import dev.parley.http.Access;
import dev.parley.http.DashboardUser;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The ticket emails of the signed-in user. */
@Path("/dashboard/api/me/emails")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
@Access(USER)
public final class MyEmailsResource {
    private final UserStore users;

    MyEmailsResource(Database database) {
        this.users = database.statements(UserStore.class);
    }

    /** The kinds of ticket emails that a user gets. */
    @Schema(name = "TicketEmails")
    public record TicketEmails(
            @Schema(description = "A ticket is assigned to the user or a team of the user")
            boolean newTickets,

            @Schema(description = "A ticket is claimed, released, taken over, completed, rejected, retried or closed")
            boolean changes,

            @Schema(description = "A person comments on a ticket, or mentions the user in a comment")
            boolean comments,

            @Schema(description = "A ticket is due, or will be soon")
            boolean reminders) {}

    /** The kinds of ticket emails to turn on or off. */
    @Schema(name = "TicketEmailsChange")
    public record TicketEmailsChange(
            @Nullable Boolean newTickets,
            @Nullable Boolean changes,
            @Nullable Boolean comments,
            @Nullable Boolean reminders) {}

    @GET
    @Operation(summary = "Read which ticket emails the signed-in user gets")
    public TicketEmails emails(@Context RoutingContext request) {
        return users.ticketEmails(DashboardUser.of(request).id());
    }

    @PATCH
    @Operation(
            summary = "Choose which ticket emails the signed-in user gets",
            description = "In all organizations of the user. An absent kind remains as it is.")
    @APIResponse(responseCode = "200", description = "Changed")
    public TicketEmails change(TicketEmailsChange change, @Context RoutingContext request) {
        return users.changeTicketEmails(DashboardUser.of(request).id(), change);
    }
}
