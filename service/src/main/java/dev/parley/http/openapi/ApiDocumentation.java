package dev.parley.http.openapi;

import dev.parley.http.StaticFile;
import dev.parley.http.filter.ReadOnlyAddress;
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
 * Serves the OpenAPI documents without authentication, as {@link StaticFile}s: that of the developer API at
 * {@code /openapi}, and that of the dashboard's API at {@code /openapi/dashboard}. Quarkus' own handler, which this one
 * precedes, copies them for each request and does not compress. The dashboard has the page that shows the first.
 */
@Singleton
public final class ApiDocumentation {
    private static final int AFTER_FILTERS = -10;
    private static final String CACHE_CONTROL = "no-cache";
    private static final Map<String, String> DOCUMENTS =
            Map.of("/openapi", OpenApiConstants.DEFAULT_DOCUMENT_NAME, "/openapi/dashboard", "dashboard");

    /** A document in one format. */
    private record FormattedDocument(String name, Format format) {}

    private final OpenApiDocumentService documents;
    private final Map<FormattedDocument, StaticFile> files = new ConcurrentHashMap<>();

    public ApiDocumentation(OpenApiDocumentService documents) {
        this.documents = documents;
    }

    void register(@Observes Router router) {
        DOCUMENTS.forEach((path, name) -> {
            for (String extension : new String[] {"", ".json", ".yaml", ".yml"}) {
                router.route(path + extension).order(AFTER_FILTERS).handler(request -> handle(request, name));
            }
        });
    }

    private void handle(RoutingContext request, String name) {
        if (ReadOnlyAddress.isRead(request)) {
            Format format = isJson(request) ? Format.JSON : Format.YAML;
            document(new FormattedDocument(name, format)).send(request, CACHE_CONTROL);
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

    private StaticFile document(FormattedDocument document) {
        return files.computeIfAbsent(
                document,
                _ -> new StaticFile(
                        documents.getDocument(document.name, document.format),
                        document.format.getMimeType() + ";charset=UTF-8"));
    }
}
