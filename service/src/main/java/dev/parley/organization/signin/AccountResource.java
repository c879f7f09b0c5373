package dev.parley.organization.signin;

import static dev.parley.http.access.Access.Caller.USER;

import dev.parley.db.Database;
import dev.parley.http.access.Access;
import dev.parley.http.access.DashboardUser;
import dev.parley.http.constraint.Text;
import dev.parley.id.SessionId;
import dev.parley.organization.session.SessionCookie;
import dev.parley.organization.session.SessionStore;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.session.UserSession;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.TicketEmails;
import dev.parley.organization.user.TicketEmailsChange;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The password, the sessions and the ticket emails of the signed-in user. */
@Path("/dashboard/api")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
@Access(USER)
public final class AccountResource {
    private final SignIn signIn;
    private final SessionCookie cookie;
    private final SessionStore store;
    private final Sessions sessions;
    private final UserStore users;

    AccountResource(SignIn signIn, SessionCookie cookie, Sessions sessions, Database database) {
        this.signIn = signIn;
        this.cookie = cookie;
        this.store = database.statements(SessionStore.class);
        this.sessions = sessions;
        this.users = database.statements(UserStore.class);
    }

    /** A change of password. Requires the current one, so that an unattended session is not enough. */
    @Schema(name = "PasswordChange")
    public record PasswordChange(
            @NotNull @Text(min = 1, max = PasswordHasher.MAX_LENGTH)
            String currentPassword,

            @NotNull @Text(min = PasswordHasher.MIN_LENGTH, max = PasswordHasher.MAX_LENGTH)
            String newPassword) {
        @Override
        public String toString() {
            return "PasswordChange[]";
        }
    }

    @POST
    @Path("/me/password")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "changeMyPassword",
            summary = "Change the signed-in user's password",
            description = "Ends all other sessions of the user on every node; this session continues.")
    @APIResponse(responseCode = "204", description = "Changed")
    @APIResponse(responseCode = "400", description = "The current password is wrong, or the new one too short")
    @APIResponse(responseCode = "429", description = "Too many wrong passwords; `Retry-After` says when to try again")
    public Response changePassword(PasswordChange change, @Context RoutingContext request) {
        DashboardUser user = DashboardUser.of(request);
        signIn.changePassword(
                user,
                change.currentPassword(),
                change.newPassword(),
                SessionCookie.token(request),
                cookie.client(request));
        return Response.noContent()
                .cookie(cookie.device(user.id(), request.request()))
                .build();
    }

    @GET
    @Path("/me/sessions")
    @Operation(
            summary = "List the signed-in user's sessions",
            description = "The current session first, then those used last; at most 200.")
    public List<UserSession> sessions(@Context RoutingContext request) {
        return sessions.list(DashboardUser.of(request).id(), SessionCookie.token(request));
    }

    @DELETE
    @Path("/me/sessions")
    @Operation(
            operationId = "endMyOtherSessions",
            summary = "Sign out everywhere else",
            description = "Ends all other sessions of the user on every node.")
    @APIResponse(responseCode = "204", description = "Ended")
    public void endOtherSessions(@Context RoutingContext request) {
        sessions.endOthers(DashboardUser.of(request).id(), SessionCookie.token(request));
    }

    @DELETE
    @Path("/me/sessions/{sessionId}")
    @Operation(
            operationId = "endMySession",
            summary = "End a session of the signed-in user",
            description = "Ends it on every node at once.")
    @APIResponse(responseCode = "204", description = "Ended")
    public void endSession(@PathParam("sessionId") SessionId id, @Context RoutingContext request) {
        if (!store.end(DashboardUser.of(request).id(), id)) {
            throw ApiProblem.notFound("session");
        }
    }

    @GET
    @Path("/me/emails")
    @Operation(summary = "Read which ticket emails the signed-in user gets")
    public TicketEmails emails(@Context RoutingContext request) {
        return users.ticketEmails(DashboardUser.of(request).id());
    }

    @PATCH
    @Path("/me/emails")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Choose which ticket emails the signed-in user gets",
            description = "In all organizations of the user. An absent kind remains as it is.")
    @APIResponse(responseCode = "200", description = "Changed")
    public TicketEmails changeEmails(TicketEmailsChange change, @Context RoutingContext request) {
        return users.changeTicketEmails(DashboardUser.of(request).id(), change);
    }
}
