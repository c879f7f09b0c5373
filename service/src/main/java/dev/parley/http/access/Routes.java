package dev.parley.http.access;

import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The methods and paths of all resources, which filters need before the framework has found one. */
@Singleton
public final class Routes {
    private final List<Route> all;

    /**
     * A method of a resource.
     *
     * @param path matches the request's path
     * @param literals the number of literal characters in the template
     * @param caller who may call it; null if it does not say
     */
    private record Route(Pattern path, int literals, String method, Access.@Nullable Caller caller) {}

    @Inject
    public Routes(BeanManager beans) {
        this(beans.getBeans(Object.class, Any.Literal.INSTANCE).stream().<Class<?>>map(Bean::getBeanClass));
    }

    public Routes(Stream<Class<?>> classes) {
        all = classes.filter(type -> type.isAnnotationPresent(Path.class))
                .flatMap(type -> Arrays.stream(type.getMethods()).flatMap(method -> routes(type, method)))
                .toList();
    }

    /**
     * The methods of the path, sorted; empty if no resource has the path. Among several templates the most literal one
     * wins, as in JAX-RS: "validate" is not an {id} if it is a path of its own.
     */
    public Set<String> methods(String path) {
        List<Route> matching =
                all.stream().filter(route -> route.path.matcher(path).matches()).toList();
        int literals = matching.stream().mapToInt(Route::literals).max().orElse(0);
        return matching.stream()
                .filter(route -> route.literals == literals)
                .map(Route::method)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the route needs neither a session nor a key. */
    public boolean isOpen(String method, String path) {
        return all.stream()
                .anyMatch(route -> route.caller == Access.Caller.OPEN
                        && route.method.equals(method)
                        && route.path.matcher(path).matches());
    }

    private static Stream<Route> routes(Class<?> resource, Method method) {
        Path more = method.getAnnotation(Path.class);
        String template = resource.getAnnotation(Path.class).value() + "/" + (more == null ? "" : more.value());
        List<String> segments = Stream.of(template.split("/", -1))
                .filter(segment -> !segment.isEmpty())
                .toList();
        var path = Pattern.compile(segments.stream().map(Routes::expression).collect(Collectors.joining()));
        int literals = segments.stream()
                .filter(segment -> !segment.startsWith("{"))
                .mapToInt(String::length)
                .sum();
        Access.Caller caller = caller(resource, method);
        return Stream.of(method.getAnnotations())
                .flatMap(annotation ->
                        Stream.ofNullable(annotation.annotationType().getAnnotation(HttpMethod.class)))
                .map(verb -> new Route(path, literals, verb.value(), caller));
    }

    /** Who may call the route; null if it does not say. */
    public Access.@Nullable Caller caller(String method, String path) {
        return all.stream()
                .filter(route ->
                        route.method.equals(method) && route.path.matcher(path).matches())
                .max(Comparator.comparingInt(Route::literals))
                .map(Route::caller)
                .orElse(null);
    }

    /** Who may call a method; null if it does not say. */
    public static Access.@Nullable Caller caller(Class<?> resource, Method method) {
        Access access = method.isAnnotationPresent(Access.class)
                ? method.getAnnotation(Access.class)
                : resource.getAnnotation(Access.class);
        return access == null ? null : access.value();
    }

    /** A parameter matches one segment, or its own expression. */
    private static String expression(String segment) {
        int colon = segment.indexOf(':');
        return "/"
                + (!segment.startsWith("{")
                        ? Pattern.quote(segment)
                        : colon < 0
                                ? "[^/]+"
                                : segment.substring(colon + 1, segment.length() - 1)
                                        .strip());
    }
}
