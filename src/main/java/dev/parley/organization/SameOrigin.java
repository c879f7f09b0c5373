package dev.parley.organization;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;
import java.util.Set;

/**
 * Tells whether a request that changes something comes from our own pages. A browser says so by
 * {@code Sec-Fetch-Site}, an older one by {@code Origin}; what says neither must send {@code X-Requested-With: parley},
 * which no page of another site can without being asked for.
 */
final class SameOrigin {
    /** TRACE is refused later, like on the developer API. */
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
