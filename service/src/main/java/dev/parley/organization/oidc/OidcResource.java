package dev.parley.organization.oidc;

import static dev.parley.http.access.Access.Caller.OPEN;

import dev.parley.http.ForeignQuery;
import dev.parley.http.access.Access;
import dev.parley.organization.session.SessionCookie;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sign-in with OpenID Connect. {@code start} redirects the browser to the provider, which redirects it to
 * {@code callback}. A failure redirects to the sign-in page, which shows a text for the code in {@code error}.
 */
@Path("/dashboard/api/oidc")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
@Access(OPEN)
public final class OidcResource {
    static final String COOKIE = "parley_oidc";
    private static final Logger LOG = Logger.getLogger(OidcResource.class);

    /** A path of this site. Browsers read two leading slashes, or a slash and a backslash, as the start of a host. */
    private static final Pattern SAME_SITE_PATH = Pattern.compile("/(?![/\\\\])[\\x21-\\x7E&&[^\\\\]]{0,1000}");

    private final OidcSignIn signIn;
    private final SessionCookie session;

    OidcResource(OidcSignIn signIn, SessionCookie session) {
        this.signIn = signIn;
        this.session = session;
    }

    /** The sign-in option in addition to the password. */
    @Schema(name = "OidcOffer")
    public record Offer(
            boolean enabled,

            @Schema(description = "Display name of the provider", examples = "Acme ID") @Nullable
            String name) {}

    @GET
    @Operation(operationId = "getOidcProvider", summary = "Get whether users can sign in with OpenID Connect")
    public Offer oidcOffer() {
        return new Offer(
                signIn.providerName().isPresent(), signIn.providerName().orElse(null));
    }

    @GET
    @Path("/start")
    @Operation(
            operationId = "startOidcSignIn",
            summary = "Start a sign-in with OpenID Connect",
            description = "For browsers. A cookie ties the sign-in to this browser for 10 minutes.")
    @APIResponse(responseCode = "302", description = "Redirect to the provider, or to the sign-in page with `error`")
    @APIResponse(responseCode = "404", description = "No provider is configured")
    public Response startOidc(
            @Parameter(description = "Path of the dashboard to return to") @QueryParam("return_to") @DefaultValue("/")
                    String returnTo,
            @Context RoutingContext request) {
        if (!SAME_SITE_PATH.matcher(returnTo).matches()) {
            throw ApiProblem.invalid(Violation.parameter(
                    ViolationCode.INVALID_FORMAT, "return_to", "'return_to' must be a path of this site."));
        }
        try {
            OidcSignIn.StartedSignIn started = signIn.start(returnTo);
            return redirectTo(started.url())
                    .cookie(cookie(started.cookie(), OidcAttempt.LIFETIME, request))
                    .build();
        } catch (OidcRejection rejection) {
            return redirectToSignIn(rejection, returnTo);
        }
    }

    @GET
    @Path("/callback")
    @ForeignQuery
    @Operation(
            operationId = "completeOidcSignIn",
            summary = "Return from the OpenID Connect provider",
            description = "For browsers. Sets the session cookie if the redirect is valid. Each redirect works once.")
    @APIResponse(responseCode = "302", description = "Redirect into the dashboard, or to the sign-in page with `error`")
    @APIResponse(responseCode = "404", description = "No provider is configured")
    public Response endOidc(
            @QueryParam("code") @DefaultValue("") String code,
            @QueryParam("state") @DefaultValue("") String state,
            @QueryParam("iss") @DefaultValue("") String issuer,
            @QueryParam("error") @DefaultValue("") String error,
            @Parameter(hidden = true) @CookieParam(COOKIE) @DefaultValue("") String cookie,
            @Context RoutingContext request) {
        if (signIn.providerName().isEmpty()) {
            throw ApiProblem.notFound("OpenID Connect provider");
        }
        Optional<OidcAttempt> attempt = signIn.attempt(cookie);
        String returnTo = attempt.map(OidcAttempt::returnTo).orElse("/");
        try {
            String token = signIn.complete(
                    attempt.orElseThrow(() -> new OidcRejection(
                            OidcRejection.OidcRejectionReason.NOT_BEGUN_HERE, "This browser has no open attempt.")),
                    new OidcSignIn.OidcRedirect(code, state, issuer, error),
                    session.client(request));
            return redirectTo(returnTo)
                    .cookie(cookie("", Duration.ZERO, request), session.of(token, request.request()))
                    .build();
        } catch (OidcRejection rejection) {
            return redirectToSignIn(rejection, returnTo);
        }
    }

    /** Keeps the attempt's cookie, so that a forged redirect does not end the attempt. */
    private static Response redirectToSignIn(OidcRejection rejection, String returnTo) {
        if (rejection.concernsOperator()) {
            LOG.warnf("A sign-in with OpenID Connect failed: %s", rejection.getMessage());
        }
        return redirectTo("/sign-in?error=" + rejection.reason().code() + "&next="
                        + URLEncoder.encode(returnTo, StandardCharsets.UTF_8))
                .build();
    }

    private static Response.ResponseBuilder redirectTo(String url) {
        return Response.status(Response.Status.FOUND)
                .header("Location", url)
                .header("Cache-Control", "no-store")
                .header("Referrer-Policy", "no-referrer");
    }

    /** Lax rather than Strict, because the browser must send it with the provider's redirect. */
    private NewCookie cookie(String value, Duration maxAge, RoutingContext request) {
        return session.cookie(COOKIE, value, "/dashboard/api/oidc", maxAge, NewCookie.SameSite.LAX, request.request());
    }
}
