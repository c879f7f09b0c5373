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
 * Serves the dashboard's web application (sources in {@code dashboard/}) at {@code /}. Addresses that its router knows
 * get its one HTML page, so that deep links work; every other unknown address stays the API's 404. Files whose names
 * carry a hash of their content are kept by browsers for good, the page itself is asked for anew each time.
 *
 * <p>The page may run only the scripts of this origin, none of them inline. Styles may stand inline: the component
 * library sets some, and they can do no harm beyond looks. It talks to this origin, and with an S3 store to that, since
 * files go there directly.
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

    /** @param uploads where files are sent to, if not to this service */
    static String policy(Optional<String> uploads) {
        return String.join(
                "; ",
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' data: blob:",
                "media-src 'self' blob:",
                "font-src 'self'",
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
            answer(request, file);
        }
    }

    static boolean isPage(String path) {
        return path.equals("/")
                || SECTIONS.stream()
                        .anyMatch(section -> path.startsWith(section)
                                && (path.length() == section.length() || path.charAt(section.length()) == '/'));
    }

    private void answer(RoutingContext request, PageFiles.PageFile file) {
        request.response()
                .putHeader("Content-Security-Policy", policy)
                .putHeader("Referrer-Policy", "same-origin")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin");
        file.content().send(request, file.hashed() ? "public, max-age=31536000, immutable" : "no-cache");
    }
}
