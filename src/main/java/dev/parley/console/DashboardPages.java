package dev.parley.console;

import dev.parley.blob.BlobStore;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/**
 * Serves the dashboard's web application (sources in {@code dashboard/}) at {@code /}. Paths of its router get the HTML
 * page, so that deep links work; other unknown paths stay the API's 404. Files with a content hash in their name are
 * cached forever; the page itself is always revalidated.
 *
 * <p>The content security policy allows only scripts of this origin and no inline scripts. Inline styles are allowed,
 * because the component library sets some and they are harmless. Connections are allowed to this origin and to an S3
 * store, because uploads go there directly. Frames show only files that the page has loaded itself, such as a PDF.
 */
@Singleton
public final class DashboardPages {
    private static final List<String> SECTIONS =
            List.of("/sign-in", "/setup", "/account", "/invitations", "/organizations");

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
        if (file == null) {
            request.next();
        } else {
            send(request, file);
        }
    }

    static boolean isPage(String path) {
        return path.equals("/")
                || SECTIONS.stream()
                        .anyMatch(section -> path.startsWith(section)
                                && (path.length() == section.length() || path.charAt(section.length()) == '/'));
    }

    private void send(RoutingContext request, PageFiles.PageFile file) {
        request.response()
                .putHeader("Content-Security-Policy", policy)
                .putHeader("Referrer-Policy", "same-origin")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin");
        file.content().send(request, file.hashed() ? "public, max-age=31536000, immutable" : "no-cache");
    }
}
