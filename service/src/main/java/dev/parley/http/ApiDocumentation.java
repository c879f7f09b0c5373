package dev.parley.http;

import io.quarkus.smallrye.openapi.runtime.OpenApiConstants;
import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves the OpenAPI document without authentication, as {@link StaticFile}s. Quarkus' own handler, which this one
 * precedes, copies half a megabyte per request and does not compress. The dashboard has the page that shows it.
 */
@Singleton
public final class ApiDocumentation {
    private static final int AFTER_FILTERS = -10;
    private static final String CACHE_CONTROL = "no-cache";

    private final OpenApiDocumentService documents;
    private final Map<Format, StaticFile> files = new ConcurrentHashMap<>();

    public ApiDocumentation(OpenApiDocumentService documents) {
        this.documents = documents;
    }

    void register(@Observes Router router) {
        for (String path : new String[] {"/openapi", "/openapi.json", "/openapi.yaml", "/openapi.yml"}) {
            router.route(path).order(AFTER_FILTERS).handler(this::handle);
        }
    }

    private void handle(RoutingContext request) {
        if (ReadOnlyAddress.isRead(request)) {
            document(isJson(request) ? Format.JSON : Format.YAML).send(request, CACHE_CONTROL);
        }
    }

    /** By the extension; else by {@code Accept} or {@code ?format=json}; else YAML. */
    private static boolean isJson(RoutingContext request) {
        String path = request.normalizedPath();
        if (path.indexOf('.') >= 0) {
            return path.endsWith(".json");
        }
        String accept = request.request().getHeader("Accept");
        return (accept != null && accept.contains(Format.JSON.getMimeType()))
                || "json".equalsIgnoreCase(request.request().getParam("format"));
    }

    private StaticFile document(Format format) {
        return files.computeIfAbsent(
                format,
                _ -> new StaticFile(
                        documents.getDocument(OpenApiConstants.DEFAULT_DOCUMENT_NAME, format),
                        format.getMimeType() + ";charset=UTF-8"));
    }
}
