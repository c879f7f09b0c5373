package dev.parley.http;

import io.quarkus.smallrye.openapi.runtime.OpenApiConstants;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves the OpenAPI document and its viewer without authentication, as {@link StaticFile}s. Quarkus' own handlers,
 * which these precede, copy half a megabyte per request and do not compress.
 */
@Singleton
public final class ApiDocumentation {
    private static final String DOCUMENT = "/openapi";
    private static final String PAGES = "/docs/";
    private static final String PAGES_IN_CLASS_PATH =
            "META-INF/io.smallrye_smallrye-open-api-ui__jar/META-INF/resources/openapi-ui/";

    private static final int AFTER_FILTERS = -10;
    private static final String CACHE_CONTROL = "no-cache";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "png", "image/png",
            "ico", "image/x-icon");

    private final OpenApiDocumentService documents;
    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();

    public ApiDocumentation(OpenApiDocumentService documents) {
        this.documents = documents;
    }

    void register(@Observes Router router) {
        for (String path : new String[] {"/openapi", "/openapi.json", "/openapi.yaml", "/openapi.yml", PAGES + "*"}) {
            router.route(path).order(AFTER_FILTERS).handler(this::handle);
        }
    }

    private void handle(RoutingContext request) {
        String path = request.normalizedPath();
        Optional<StaticFile> file = path.startsWith(PAGES)
                ? page(path.substring(PAGES.length()))
                : document(path, isJson(request, path) ? Format.JSON : Format.YAML);
        if (file.isEmpty()) {
            request.next();
        } else if (ReadOnlyAddress.isRead(request)) {
            file.get().send(request, CACHE_CONTROL);
        }
    }

    /** By the extension; else by {@code Accept} or {@code ?format=json}; else YAML. */
    private static boolean isJson(RoutingContext request, String path) {
        if (path.indexOf('.') >= 0) {
            return path.endsWith(".json");
        }
        String accept = request.request().getHeader("Accept");
        return (accept != null && accept.contains(Format.JSON.getMimeType()))
                || "json".equalsIgnoreCase(request.request().getParam("format"));
    }

    private Optional<StaticFile> document(String path, Format format) {
        if (!path.startsWith(DOCUMENT)) {
            return Optional.empty();
        }
        return Optional.of(files.computeIfAbsent(
                format.name(),
                _ -> new StaticFile(
                        documents.getDocument(OpenApiConstants.DEFAULT_DOCUMENT_NAME, format),
                        format.getMimeType() + ";charset=UTF-8")));
    }

    private Optional<StaticFile> page(String name) {
        String file = name.isEmpty() ? "index.html" : name;
        String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        if (type == null || !NAME.matcher(file).matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(files.computeIfAbsent(file, _ -> load(file, type)));
    }

    private static @Nullable StaticFile load(String file, String type) {
        try (InputStream found =
                Thread.currentThread().getContextClassLoader().getResourceAsStream(PAGES_IN_CLASS_PATH + file)) {
            return found == null ? null : new StaticFile(found.readAllBytes(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
