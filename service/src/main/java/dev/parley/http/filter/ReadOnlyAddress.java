package dev.parley.http.filter;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Allows only GET and HEAD for an address outside of JAX-RS. */
public final class ReadOnlyAddress {
    private ReadOnlyAddress() {}

    /** Whether the request is a GET or HEAD; other methods are answered here. */
    public static boolean isRead(RoutingContext request) {
        HttpMethod method = request.request().method();
        if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
            return true;
        }
        request.response().putHeader("Allow", "GET, HEAD, OPTIONS");
        if (method.equals(HttpMethod.OPTIONS)) {
            request.response().end();
        } else {
            ProblemResponse.write(request, ProblemResponse.ofStatus(405));
        }
        return false;
    }
}
