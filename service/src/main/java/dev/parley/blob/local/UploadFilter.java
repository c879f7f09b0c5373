package dev.parley.blob.local;

import dev.parley.blob.BlobStore;
import dev.parley.blob.UploadGrant;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.filter.RequestFilter;
import dev.parley.http.filter.RequestRejection;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.util.Locale;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Receives uploads by PUT to the signed URLs of the embedded store, as S3 itself does. A filter rather than a resource,
 * because it must run before the general body limit and stream: the event loop passes the bytes to a virtual thread
 * that writes them.
 */
@Singleton
public final class UploadFilter {
    private static final Logger LOG = Logger.getLogger(UploadFilter.class);

    private final @Nullable FileStore files;
    private final Clock clock;

    public UploadFilter(BlobStore store, Clock clock) {
        this.files = store instanceof FileStore own ? own : null;
        this.clock = clock;
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, RequestFilter.AUTHENTICATION);
    }

    private void handle(RoutingContext context) {
        FileStore store = files;
        if (store == null || !RequestFilter.isUnder(context, FileStore.UPLOADS)) {
            context.next();
            return;
        }
        HttpServerRequest request = context.request();
        try {
            if (!request.method().equals(HttpMethod.PUT)) {
                throw ApiProblem.of(ProblemKind.METHOD_NOT_ALLOWED, "An upload URL accepts only PUT.");
            }
            UploadGrant grant = grant(store, context.normalizedPath());
            long length = check(grant, request);
            if (store.exists(grant.key())) {
                throw ApiProblem.of(ProblemKind.ALREADY_DONE, "This URL was already used. It allows one upload.");
            }
            receive(store, context, grant, length);
        } catch (ApiProblem e) {
            RequestRejection.afterBody(context, e);
        }
    }

    private UploadGrant grant(FileStore store, String path) {
        String token = path.substring(Math.min(path.length(), FileStore.UPLOADS.length() + 1));
        UploadGrant grant = store.grant(token)
                .orElseThrow(() -> ApiProblem.of(ProblemKind.FORBIDDEN, "The URL was not signed by this service."));
        if (!clock.instant().isBefore(grant.expires())) {
            throw ApiProblem.of(ProblemKind.URL_EXPIRED, "The URL has expired. Request a new one.");
        }
        return grant;
    }

    /** Returns the declared length, or -1. */
    private static long check(UploadGrant grant, HttpServerRequest request) {
        String type = request.getHeader("Content-Type");
        if (type == null || !withoutParameters(type).equals(grant.contentType())) {
            throw ApiProblem.invalid(Violation.parameter(
                            ViolationCode.MISMATCH,
                            "Content-Type",
                            "'Content-Type' must be the declared one, " + grant.contentType() + ".")
                    .with("expected", grant.contentType()));
        }
        String header = request.getHeader("Content-Length");
        if (header == null) {
            if (grant.size() != null) {
                throw ApiProblem.invalid(Violation.parameter(
                        ViolationCode.REQUIRED,
                        "Content-Length",
                        "'Content-Length' is required: the size was declared."));
            }
            return -1;
        }
        long length;
        try {
            length = Long.parseLong(header);
        } catch (NumberFormatException _) {
            throw ApiProblem.invalid(Violation.parameter(
                    ViolationCode.INVALID_FORMAT, "Content-Length", "'Content-Length' must be a number of bytes."));
        }
        if (grant.size() != null && length != grant.size()) {
            throw ApiProblem.invalid(Violation.parameter(
                            ViolationCode.MISMATCH,
                            "Content-Length",
                            "'Content-Length' must be the declared size, " + grant.size() + " bytes.")
                    .with("expected", grant.size()));
        }
        if (length > grant.maxBytes()) {
            throw ApiProblem.of(
                    ProblemKind.PAYLOAD_TOO_LARGE,
                    "The file is larger than the " + grant.maxBytes() + " bytes allowed.");
        }
        return length;
    }

    /** The type without parameters, in lower case. */
    private static String withoutParameters(String type) {
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    private static void receive(FileStore store, RoutingContext context, UploadGrant grant, long length) {
        Context loop = Vertx.currentContext();
        HttpServerRequest request = context.request();
        request.pause();
        if (request.getHeader("Expect") != null) {
            context.response().writeContinue();
        }
        var body = new RequestBody(request, loop);
        Thread.ofVirtual().name("upload").start(() -> {
            try {
                store.receive(grant, body, length);
                loop.runOnContext(_ -> context.response().setStatusCode(200).end());
            } catch (IOException e) {
                LOG.infof("Upload aborted: %s", e.getMessage());
                loop.runOnContext(_ -> request.connection().close());
            } catch (RuntimeException e) {
                ApiProblem problem = ProblemResponse.of(e);
                loop.runOnContext(_ -> body.discard(() -> ProblemResponse.write(context, problem)));
            }
        });
    }
}
