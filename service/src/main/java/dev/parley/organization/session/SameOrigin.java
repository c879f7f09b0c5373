package dev.parley.organization.session;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Set;

/**
 * Protects against cross-site request forgery: checks that a changing request comes from the dashboard's origin.
 * Browsers send {@code Sec-Fetch-Site}, older ones {@code Origin}; requests with neither must have
 * {@code X-Requested-With: parley}, which another site cannot send without a CORS preflight.
 */
final class SameOrigin {
    /** TRACE is rejected later, as in the developer API. */
    private static final Set<HttpMethod> SAFE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    private final String publicOrigin;

    /** @param publicUrl the address under which browsers reach the service */
    SameOrigin(String publicUrl) {
        int path = publicUrl.indexOf('/', publicUrl.indexOf("//") + 2);
        this.publicOrigin = (path < 0 ? publicUrl : publicUrl.substring(0, path)).toLowerCase(Locale.ROOT);
    }

    boolean allows(HttpServerRequest request) {
        if (SAFE.contains(request.method())) {
            return true;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") || site.equals("none");
        }
        String origin = request.getHeader("Origin");
        if (origin != null) {
            return isOurs(origin.toLowerCase(Locale.ROOT), request.getHeader("Host"));
        }
        return "parley".equals(request.getHeader("X-Requested-With"));
    }

    private boolean isOurs(String origin, @org.jspecify.annotations.Nullable String host) {
        if (origin.equals(publicOrigin)) {
            return true;
        }
        String lower = host == null ? "" : host.toLowerCase(Locale.ROOT);
        return !lower.isEmpty() && (origin.equals("http://" + lower) || origin.equals("https://" + lower));
    }

    static ApiProblem refusal() {
        return ApiProblem.of(
                ProblemKind.CROSS_SITE_REQUEST,
                "A changing request must come from the dashboard's own origin; other clients send"
                        + " 'X-Requested-With: parley'.");
    }
}
