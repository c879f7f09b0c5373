package dev.parley.http;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sets {@code Allow} in responses to OPTIONS and in 405s to the methods of the requested path. The framework returns
 * the methods of the whole class for OPTIONS and none for 405. For paths shared by several classes, or matching another
 * path's id parameter, it returns 404 for a missing method.
 */
@Provider
public final class AllowedMethods implements ContainerResponseFilter {
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;

    private final BeanManager beans;
    private final CurrentVertxRequest current;
    private volatile @Nullable List<Route> routes;

    /**
     * A method of a resource.
     *
     * @param path matches the request's path
     * @param literals the number of literal characters in the template
     */
    private record Route(Pattern path, int literals, String method) {}

    public AllowedMethods(BeanManager beans, CurrentVertxRequest current) {
        this.beans = beans;
        this.current = current;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        boolean asked = request.getMethod().equals(HttpMethod.OPTIONS) && response.getStatus() == 200;
        if (response.getStatus() != NOT_ALLOWED && response.getStatus() != NOT_FOUND && !asked) {
            return;
        }
        Set<String> allowed = methods(RequestFilter.path(current.getCurrent()));
        if (response.getStatus() == NOT_FOUND) {
            if (allowed.isEmpty() || allowed.contains(request.getMethod())) {
                return;
            }
            response.setStatus(NOT_ALLOWED);
            response.setEntity(
                    StrictJson.writeBytes(ProblemResponse.body(ProblemResponse.ofStatus(NOT_ALLOWED))),
                    new Annotation[0],
                    MediaType.APPLICATION_JSON_TYPE);
        }
        response.getHeaders()
                .putSingle(HttpHeaders.ALLOW, allowed.isEmpty() ? HttpMethod.OPTIONS : String.join(", ", allowed));
    }

    /** The methods of the path, sorted; empty if no resource has the path. */
    private Set<String> methods(String path) {
        List<Route> matching = routes().stream()
                .filter(route -> route.path.matcher(path).matches())
                .toList();
        // As in JAX-RS, the most literal template wins: "validate" is not an {id} if it is a path of its own.
        int literals = matching.stream().mapToInt(Route::literals).max().orElse(0);
        var methods = new TreeSet<String>();
        matching.stream().filter(route -> route.literals == literals).forEach(route -> methods.add(route.method));
        if (methods.contains(HttpMethod.GET)) {
            methods.add(HttpMethod.HEAD);
        }
        if (!methods.isEmpty()) {
            methods.add(HttpMethod.OPTIONS);
        }
        return methods;
    }

    private List<Route> routes() {
        List<Route> known = routes;
        if (known == null) {
            known = beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
                    .flatMap(bean -> of(bean.getBeanClass()))
                    .toList();
            routes = known;
        }
        return known;
    }

    private static Stream<Route> of(Class<?> resource) {
        Path base = resource.getAnnotation(Path.class);
        if (base == null) {
            return Stream.empty();
        }
        List<Route> found = new ArrayList<>();
        for (Method method : resource.getMethods()) {
            for (Annotation annotation : method.getAnnotations()) {
                HttpMethod verb = annotation.annotationType().getAnnotation(HttpMethod.class);
                if (verb != null) {
                    found.add(route(base, method.getAnnotation(Path.class), verb.value()));
                }
            }
        }
        return found.stream();
    }

    private static Route route(Path base, @Nullable Path more, String method) {
        String[] segments = (base.value() + "/" + (more == null ? "" : more.value())).split("/", -1);
        var regex = new StringBuilder();
        int literals = 0;
        for (String segment : segments) {
            if (!segment.isEmpty()) {
                regex.append('/').append(segment(segment));
                literals += segment.startsWith("{") ? 0 : segment.length();
            }
        }
        return new Route(Pattern.compile(regex.toString()), literals, method);
    }

    /** A parameter matches one segment, or its own expression. */
    private static String segment(String segment) {
        if (!segment.startsWith("{")) {
            return Pattern.quote(segment);
        }
        int colon = segment.indexOf(':');
        return colon < 0
                ? "[^/]+"
                : segment.substring(colon + 1, segment.length() - 1).strip();
    }
}
