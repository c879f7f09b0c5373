package dev.parley.http.filter;

import dev.parley.http.ForeignQuery;
import dev.parley.http.RequestValidator;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

/**
 * Rejects input that a resource method of the two JSON APIs does not declare and the framework would ignore: unknown,
 * empty and repeated query parameters, and a body. Declarations are read from the method's signature once.
 */
public final class UndeclaredInputFilter {
    private static final Set<String> METHODS_WITH_BODY = Set.of("POST", "PUT", "PATCH", "DELETE");

    private static final Pattern JSON = Pattern.compile("\\s*application/json\\s*(;|$)", Pattern.CASE_INSENSITIVE);

    private final Map<Method, DeclaredInput> methods = new ConcurrentHashMap<>();

    /** @param query names of the query parameters; null allows any */
    private record DeclaredInput(@Nullable Set<String> query, boolean body) {}

    @ServerRequestFilter(nonBlocking = true)
    public void checkQuery(RoutingContext request, ResourceInfo resource) {
        String query = request.request().query();
        if (query == null || query.isEmpty()) {
            return;
        }
        Set<String> known = declared(resource).query;
        if (known == null) {
            return;
        }
        MultiMap parameters = request.queryParams();
        var validator = new RequestValidator();
        for (String name : parameters.names()) {
            if (!known.contains(name)) {
                validator.add(new Violation(
                        Violation.UNKNOWN_PARAMETER,
                        ViolationCode.UNKNOWN_PARAMETER,
                        Violation.member("", name),
                        "'" + name + "' is not a query parameter of this endpoint."));
            } else if (parameters.getAll(name).size() > 1) {
                validator.add(
                        Violation.parameter(ViolationCode.REPEATED, name, "'" + name + "' must be given only once."));
            } else {
                validator.requireParameter(
                        !parameters.get(name).isEmpty(),
                        ViolationCode.REQUIRED,
                        name,
                        "'" + name + "' must not be empty.");
            }
        }
        validator.done();
    }

    /** Reads a body that no method declares, so it blocks, and must run after all filters that do not block. */
    @ServerRequestFilter(priority = Priorities.USER + 2)
    public void checkBody(ContainerRequestContext context, HttpServerRequest request, ResourceInfo resource)
            throws IOException {
        if (!METHODS_WITH_BODY.contains(context.getMethod()) || !announcesBody(request) || declared(resource).body) {
            return;
        }
        String type = request.getHeader("Content-Type");
        if (type != null && !JSON.matcher(type).lookingAt()) {
            throw ProblemResponse.ofStatus(415);
        }
        JsonBodyReader.read(context.getEntityStream(), request::getHeader, EmptyBody.class);
    }

    /** The body of a request without one. */
    private record EmptyBody() {}

    private static boolean announcesBody(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        return length == null ? request.getHeader("Transfer-Encoding") != null : !length.equals("0");
    }

    private DeclaredInput declared(ResourceInfo resource) {
        Method method = resource.getResourceMethod();
        DeclaredInput known = methods.get(method);
        return known != null ? known : methods.computeIfAbsent(method, _ -> read(resource.getResourceClass(), method));
    }

    private static DeclaredInput read(Class<?> resource, Method method) {
        Path path = resource.getAnnotation(Path.class);
        boolean isApi = path != null
                && (path.value().startsWith("/developer/api") || path.value().startsWith("/dashboard/api"));
        if (!isApi) {
            return new DeclaredInput(null, true);
        }
        var query = new HashSet<String>();
        boolean body = false;
        for (Parameter parameter : method.getParameters()) {
            QueryParam name = parameter.getAnnotation(QueryParam.class);
            if (name != null) {
                query.add(name.value());
            } else if (parameter.isAnnotationPresent(BeanParam.class)) {
                query.addAll(queryParameters(parameter.getType()));
            }
            body |= Arrays.stream(parameter.getAnnotations()).noneMatch(UndeclaredInputFilter::isSource);
        }
        return new DeclaredInput(method.isAnnotationPresent(ForeignQuery.class) ? null : Set.copyOf(query), body);
    }

    /** The query parameters among the fields of a class. */
    private static List<String> queryParameters(Class<?> bean) {
        return Arrays.stream(bean.getDeclaredFields())
                .filter(field -> field.isAnnotationPresent(QueryParam.class))
                .map(field -> field.getAnnotation(QueryParam.class).value())
                .toList();
    }

    /** Whether the annotation defines the source of a parameter; a parameter without one is the body. */
    private static boolean isSource(Annotation annotation) {
        return annotation.annotationType().getPackageName().startsWith("jakarta.ws.rs");
    }
}
