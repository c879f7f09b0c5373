package dev.parley.organization;

import static dev.parley.http.Access.Caller.USER;

import dev.parley.db.Database;
import dev.parley.http.Access;
import dev.parley.http.DashboardUser;
import dev.parley.id.SessionId;
import dev.parley.problem.ApiProblem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The sessions of the signed-in user. */
@Path("/dashboard/api/me/sessions")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
@Access(USER)
public final class MySessionsResource {
    private final SessionStore store;
    private final Sessions sessions;

    MySessionsResource(Database database, Sessions sessions) {
        this.store = database.statements(SessionStore.class);
        this.sessions = sessions;
    }

    @GET
    @Operation(
            summary = "List the signed-in user's sessions",
            description = "The current session first, then those used last; at most 200.")
    public List<UserSession> sessions(@Context RoutingContext request) {
        return sessions.list(DashboardUser.of(request).id(), token(request));
    }

    @DELETE
    @Operation(
            operationId = "endMyOtherSessions",
            summary = "Sign out everywhere else",
            description = "Ends all other sessions of the user on every node.")
    @APIResponse(responseCode = "204", description = "Ended")
    public void endOtherSessions(@Context RoutingContext request) {
        sessions.endOthers(DashboardUser.of(request).id(), token(request));
    }

    @DELETE
    @Path("/{sessionId}")
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

    private static String token(RoutingContext request) {
        return request.request().getCookie(SessionFilter.COOKIE).getValue();
    }
}
