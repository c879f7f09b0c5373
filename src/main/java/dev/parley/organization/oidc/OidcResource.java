package dev.parley.organization.oidc;

import dev.parley.forwarded.TrustedProxies;
import dev.parley.http.ForeignQuery;
import dev.parley.organization.SessionCookie;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
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
 * Signing in by OpenID Connect: the browser goes to {@code start}, from there to the provider, and comes back to
 * {@code callback}. Whatever goes wrong, people end on the sign-in page, which explains the code in {@code error}.
 */
@Path("/dashboard/api/oidc")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
public final class OidcResource {
    static final String COOKIE = "parley_oidc";
    private static final Logger LOG = Logger.getLogger(OidcResource.class);

    /** A path of this site: browsers take two slashes, and a backslash for a slash, as another host's name. */
    private static final Pattern OWN_PATH = Pattern.compile("/(?![/\\\\])[\\x21-\\x7E&&[^\\\\]]{0,1000}");

    private final OidcSignIn signIn;
    private final SessionCookie session;
    private final TrustedProxies proxies;

    OidcResource(OidcSignIn signIn, SessionCookie session, TrustedProxies proxies) {
        this.signIn = signIn;
        this.session = session;
        this.proxies = proxies;
    }

    /** What the sign-in page offers beside the password. */
    @Schema(name = "OidcOffer")
    public record Offer(
            boolean enabled,

            @Schema(description = "The provider's name for people", examples = "Acme ID", nullable = true) @Nullable
            String name) {}

    @GET
    @Operation(summary = "Whether people may sign in by OpenID Connect")
    public Offer oidcOffer() {
        return new Offer(signIn.name().isPresent(), signIn.name().orElse(null));
    }

    @GET
    @Path("/start")
    @Operation(
            summary = "Go to the OpenID Connect provider",
            description = "For browsers. A cookie binds what follows to this browser for 10 minutes.")
    @APIResponse(responseCode = "302", description = "To the provider, or to the sign-in page with `error`")
    @APIResponse(responseCode = "404", description = "No provider is set up")
    public Response startOidc(
            @Parameter(description = "Path of the dashboard to come back to")
                    @QueryParam("return_to")
                    @DefaultValue("/")
                    String returnTo,
            @Context RoutingContext request) {
        if (!OWN_PATH.matcher(returnTo).matches()) {
            throw ApiProblem.invalid(Violation.parameter("return_to", "'return_to' must be a path of this site."));
        }
        try {
            OidcSignIn.BegunSignIn startedAt = signIn.begin(returnTo);
            return to(startedAt.address())
                    .cookie(cookie(startedAt.cookie(), OidcAttempt.LIFE, request))
                    .build();
        } catch (OidcRejection refused) {
            return refuse(refused, returnTo);
        }
    }

    @GET
    @Path("/callback")
    @ForeignQuery
    @Operation(
            summary = "Come back from the OpenID Connect provider",
            description = "For browsers. Sets the session cookie when the provider's answer is good; once.")
    @APIResponse(responseCode = "302", description = "Into the dashboard, or to the sign-in page with `error`")
    @APIResponse(responseCode = "404", description = "No provider is set up")
    public Response endOidc(
            @QueryParam("code") @DefaultValue("") String code,
            @QueryParam("state") @DefaultValue("") String state,
            @QueryParam("iss") @DefaultValue("") String issuer,
            @QueryParam("error") @DefaultValue("") String error,
            @Parameter(hidden = true) @CookieParam(COOKIE) @DefaultValue("") String cookie,
            @Context RoutingContext request) {
        if (signIn.name().isEmpty()) {
            throw ApiProblem.notFound("OpenID Connect provider");
        }
        Optional<OidcAttempt> attempt = signIn.attempt(cookie);
        String returnTo = attempt.map(OidcAttempt::returnTo).orElse("/");
        try {
            String token = signIn.end(
                    attempt.orElseThrow(() -> new OidcRejection(
                            OidcRejection.OidcRejectionReason.NOT_BEGUN_HERE, "No attempt is open in this browser.")),
                    new OidcSignIn.Redirect(code, state, issuer, error),
                    proxies.address(request.request()));
            return to(returnTo)
                    .cookie(cookie("", Duration.ZERO, request), session.of(token, request.request()))
                    .build();
        } catch (OidcRejection refused) {
            return refuse(refused, returnTo);
        }
    }

    /** The attempt's cookie stays: a redirect that somebody else made up must not end what this browser began. */
    private static Response refuse(OidcRejection refused, String returnTo) {
        if (refused.isTrouble()) {
            LOG.warnf("A sign-in by OpenID Connect failed: %s", refused.getMessage());
        }
        return to("/sign-in?error=" + refused.why().code() + "&next="
                        + URLEncoder.encode(returnTo, StandardCharsets.UTF_8))
                .build();
    }

    private static Response.ResponseBuilder to(String address) {
        return Response.status(Response.Status.FOUND)
                .header("Location", address)
                .header("Cache-Control", "no-store")
                .header("Referrer-Policy", "no-referrer");
    }

    /** Lax and not Strict: it must come along when the provider sends the browser back. */
    private NewCookie cookie(String value, Duration age, RoutingContext request) {
        return new NewCookie.Builder(COOKIE)
                .value(value)
                .path("/dashboard/api/oidc")
                .maxAge((int) age.toSeconds())
                .httpOnly(true)
                .secure(session.isSecure(request.request()))
                .sameSite(NewCookie.SameSite.LAX)
                .build();
    }
}
