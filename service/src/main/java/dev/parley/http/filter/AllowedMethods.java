package dev.parley.http.filter;

import dev.parley.http.access.Routes;
import dev.parley.http.json.StrictJson;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.util.Set;

/**
 * Sets {@code Allow} in responses to OPTIONS and in 405s to the methods of the requested path. The framework returns
 * the methods of the whole class for OPTIONS and none for 405. For paths shared by several classes, or matching another
 * path's id parameter, it returns 404 for a missing method.
 */
@Provider
public final class AllowedMethods implements ContainerResponseFilter {
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private final Routes routes;
    private final CurrentVertxRequest current;

    public AllowedMethods(Routes routes, CurrentVertxRequest current) {
        this.routes = routes;
        this.current = current;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        boolean asked = request.getMethod().equals(HttpMethod.OPTIONS) && response.getStatus() == 200;
        if (response.getStatus() != NOT_ALLOWED && response.getStatus() != NOT_FOUND && !asked) {
            return;
        }
        String path = RequestFilter.path(current.getCurrent());
        Set<String> allowed = routes.methods(path);
        if (allowed.contains(HttpMethod.GET)) {
            allowed.add(HttpMethod.HEAD);
        }
        if (response.getStatus() == NOT_FOUND) {
            if (allowed.isEmpty() || allowed.contains(request.getMethod())) {
                return;
            }
            response.setStatus(NOT_ALLOWED);
            response.setEntity(
                    StrictJson.writeBytes(ProblemResponse.body(ProblemResponse.ofStatus(NOT_ALLOWED), path)),
                    new Annotation[0],
                    MediaType.APPLICATION_JSON_TYPE);
        }
        allowed.add(HttpMethod.OPTIONS);
        response.getHeaders().putSingle(HttpHeaders.ALLOW, String.join(", ", allowed));
    }
}
