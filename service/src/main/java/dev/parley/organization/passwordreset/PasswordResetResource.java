package dev.parley.organization.passwordreset;

import static dev.parley.http.access.Access.Caller.OPEN;

import dev.parley.http.access.Access;
import dev.parley.http.constraint.Text;
import dev.parley.organization.passwordreset.PasswordResetStore.OpenPasswordReset;
import dev.parley.organization.session.RandomTokens;
import dev.parley.organization.session.SessionCookie;
import dev.parley.organization.session.SignedIn;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;

/** Resetting a forgotten password by a link. Needs no session. */
@Path("/dashboard/api/password-resets")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
@Access(OPEN)
public final class PasswordResetResource {
    private final PasswordReset reset;
    private final PasswordResetRequests requests;
    private final SessionCookie cookie;

    PasswordResetResource(PasswordReset reset, PasswordResetRequests requests, SessionCookie cookie) {
        this.reset = reset;
        this.requests = requests;
        this.cookie = cookie;
    }

    /** How people get a link. */
    @Schema(name = "PasswordResetOffer")
    public record ResetOffer(
            @Schema(description = "Whether links are mailed; otherwise an admin or operator creates them")
            boolean mailed) {}

    /** A request for a mailed link. */
    @Schema(name = "PasswordResetRequest")
    public record ResetRequest(
            @NotNull @Text(min = 1, max = UserStore.MAX_EMAIL_LENGTH) @Schema(examples = "ada@acme.example")
            String email) {
        @Override
        public String toString() {
            return "ResetRequest[]";
        }
    }

    /** A link's token. */
    @Schema(name = "PasswordResetToken")
    public record ResetToken(
            @NotNull @Text(min = 1, max = RandomTokens.LENGTH) @Schema(description = "From the link, after `#`")
            String token) {
        @Override
        public String toString() {
            return "ResetToken[]";
        }
    }

    /** A new password. */
    @Schema(name = "PasswordResetCompletion")
    public record ResetCompletion(
            @NotNull @Text(min = 1, max = RandomTokens.LENGTH) @Schema(description = "From the link, after `#`")
            String token,

            @NotNull @Text(min = PasswordHasher.MIN_LENGTH, max = PasswordHasher.MAX_LENGTH)
            String password) {
        @Override
        public String toString() {
            return "ResetCompletion[]";
        }
    }

    @GET
    @Operation(operationId = "getPasswordResetOffer", summary = "Get whether reset links are mailed")
    public ResetOffer resetOffer() {
        return new ResetOffer(requests.areMailed());
    }

    @POST
    @Operation(
            operationId = "requestPasswordReset",
            summary = "Request a reset link",
            description = "Mails a link, valid once and for one hour, if the address has an account with a proven "
                    + "address; people who sign in with OpenID Connect get a mail that says so. The response is the "
                    + "same whether or not the address has an account.")
    @APIResponse(responseCode = "202", description = "Accepted")
    @APIResponse(responseCode = "409", description = "No SMTP server is configured")
    @APIResponse(responseCode = "429", description = "Too many requests; `Retry-After` says when to try again")
    @ResponseStatus(202)
    public void requestReset(ResetRequest requested, @Context RoutingContext request) {
        requests.request(requested.email(), cookie.client(request));
    }

    @POST
    @Path("/check")
    @Operation(
            operationId = "checkPasswordReset",
            summary = "Check a reset link",
            description = "Returns the address of the link's account.")
    @APIResponseSchema(value = OpenPasswordReset.class, responseCode = "200", responseDescription = "The link is valid")
    @APIResponse(responseCode = "404", description = "The link is unknown, used or expired")
    @APIResponse(responseCode = "429", description = "Too many failed attempts; `Retry-After` says when to try again")
    public OpenPasswordReset checkReset(ResetToken requested, @Context RoutingContext request) {
        return reset.find(requested.token(), cookie.client(request).address());
    }

    @POST
    @Path("/complete")
    @Operation(
            operationId = "completePasswordReset",
            summary = "Set a new password",
            description = "Ends all sessions and reset links of the user, and signs in. If an admin created the link, "
                    + "the account's address becomes unproven.")
    @APIResponse(responseCode = "204", description = "The password is set; the session cookie is set")
    @APIResponse(responseCode = "404", description = "The link is unknown, used or expired")
    @APIResponse(
            responseCode = "409",
            description = "An admin created the link, and the account has joined another organization since")
    @APIResponse(responseCode = "429", description = "Too many failed attempts; `Retry-After` says when to try again")
    public Response completeReset(ResetCompletion completion, @Context RoutingContext request) {
        SignedIn signedIn = reset.complete(completion.token(), completion.password(), cookie.client(request));
        return Response.noContent()
                .cookie(cookie.of(signedIn, request.request()))
                .build();
    }
}
