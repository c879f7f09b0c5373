package dev.parley.organization;

import static dev.parley.http.Access.Caller.USER;

import dev.parley.forwarded.TrustedProxies;
import dev.parley.http.Access;
import dev.parley.http.DashboardUser;
import dev.parley.http.constraint.Text;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The password of the signed-in user. */
@Path("/dashboard/api/me/password")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
@Access(USER)
public final class PasswordResource {
    private final SignIn signIn;
    private final SessionCookie cookie;
    private final TrustedProxies proxies;

    PasswordResource(SignIn signIn, SessionCookie cookie, TrustedProxies proxies) {
        this.signIn = signIn;
        this.cookie = cookie;
        this.proxies = proxies;
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
    @Operation(
            operationId = "changeMyPassword",
            summary = "Change the signed-in user's password",
            description = "Ends all other sessions of the user on every node; this session continues.")
    @APIResponse(responseCode = "204", description = "Changed")
    @APIResponse(responseCode = "400", description = "The current password is wrong, or the new one too short")
    @APIResponse(responseCode = "429", description = "Too many wrong passwords; `Retry-After` says when to try again")
    public Response changePassword(PasswordChange change, @Context RoutingContext request) {
        String session = request.request().getCookie(SessionFilter.COOKIE).getValue();
        DashboardUser user = DashboardUser.of(request);
        signIn.changePassword(
                user,
                change.currentPassword(),
                change.newPassword(),
                session,
                SessionClient.of(request.request(), proxies));
        return Response.noContent()
                .cookie(cookie.device(user.id(), request.request()))
                .build();
    }
}
