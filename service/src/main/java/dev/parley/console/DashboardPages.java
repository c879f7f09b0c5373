package dev.parley.console;

import dev.parley.blob.BlobStore;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves the dashboard's web application at {@code /}: its files, and its HTML page for the paths of its router and for
 * browsers that request unknown paths (404). Files with a content hash in their name are cached forever, the page is
 * always revalidated. The content security policy allows scripts, frames and connections of this origin only, and
 * uploads to an S3 store.
 */
@Singleton
public final class DashboardPages {
    private static final List<String> SECTIONS = List.of(
            "/sign-in", "/setup", "/account", "/invitations", "/organizations", "/forgot-password", "/reset-password");

    private static final String API_REFERENCE = "/docs";

    /** Paths of APIs, files and documentation: their 404 is JSON for every client. */
    private static final List<String> OTHERS = List.of(
            "/developer",
            "/dashboard",
            API_REFERENCE,
            "/health",
            "/media",
            "/metrics",
            "/openapi",
            "/openapi.json",
            "/openapi.yaml",
            "/openapi.yml",
            "/schemas",
            "/v1");

    private static final int BEFORE_ENDPOINTS = 10;

    private final PageFiles files;
    private final String policy;

    DashboardPages(BlobStore blobs) {
        this.files = PageFiles.inClassPath("/dashboard");
        this.policy = policy(blobs.uploadOrigin());
    }

    /** @param uploads the origin of uploads, if it is not this service */
    static String policy(Optional<String> uploads) {
        return String.join(
                "; ",
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' data: blob:",
                "media-src 'self' blob:",
                "font-src 'self'",
                "frame-src blob:",
                "connect-src 'self'" + uploads.map(origin -> " " + origin).orElse(""),
                "base-uri 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'");
    }

    void register(@Observes Router router) {
        router.route()
                .order(BEFORE_ENDPOINTS)
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .handler(this::handle);
    }

    private void handle(RoutingContext request) {
        String path = request.normalizedPath();
        PageFiles.PageFile file = isPage(path) ? files.find("/index.html") : files.find(path);
        PageFiles.PageFile page = files.find("/index.html");
        if (file != null) {
            send(request, file, file.hashed() ? "public, max-age=31536000, immutable" : "no-cache");
        } else if (page != null && isUnknownPage(path, request.request().getHeader("Accept"))) {
            request.response().setStatusCode(404);
            send(request, page, "no-store");
        } else {
            request.next();
        }
    }

    /** Whether a browser asks for a page that does not exist; the page says so. */
    static boolean isUnknownPage(String path, @Nullable String accept) {
        return accept != null && accept.contains("text/html") && !isUnder(OTHERS, path);
    }

    static boolean isPage(String path) {
        return path.equals("/")
                || path.equals(API_REFERENCE)
                || path.equals(API_REFERENCE + "/")
                || isUnder(SECTIONS, path);
    }

    private static boolean isUnder(List<String> roots, String path) {
        return roots.stream()
                .anyMatch(root ->
                        path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/'));
    }

    private void send(RoutingContext request, PageFiles.PageFile file, String cacheControl) {
        request.response()
                .putHeader("Content-Security-Policy", policy)
                .putHeader("Referrer-Policy", "same-origin")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin");
        file.content().send(request, cacheControl);
    }
}
