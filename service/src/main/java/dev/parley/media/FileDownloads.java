package dev.parley.media;

import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.db.Database;
import dev.parley.http.EntityTags;
import dev.parley.http.PacedOutputStream;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.id.UploadId;
import dev.parley.media.core.ByteRange;
import dev.parley.media.core.ContentDisposition;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.resteasy.reactive.PathPart;

/**
 * Serves a stored file or a range of it (RFC 9110, 14). A browser saves it and never executes it: it is sent as an
 * attachment with a sandbox policy, and {@link dev.parley.http.filter.RequestFilter} disables type sniffing for all responses.
 */
@Singleton
final class FileDownloads {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final String FILES = "/media/files/";
    private static final int BUFFER = 16 * 1024;

    private final MediaStore store;
    private final BlobStore blobs;

    FileDownloads(Database database, BlobStore blobs) {
        this.store = database.statements(MediaStore.class);
        this.blobs = blobs;
    }

    /** The file at the request's path; a 404 if it is not visible in the scope. */
    Response serve(FileScope scope, HttpServerRequest request, boolean withBody) {
        Upload upload = find(scope, path(request));
        String etag = '"' + upload.sha256() + '"';
        if (EntityTags.matches(request.getHeader("If-None-Match"), etag)) {
            return headers(Response.status(304), upload, etag).build();
        }
        String ifRange = request.getHeader("If-Range");
        String range = ifRange == null || ifRange.equals(etag) ? request.getHeader("Range") : null;
        long size = upload.info().size();
        return switch (ByteRange.of(withBody ? range : null, size)) {
            case ByteRange.RequestedRange.WholeFile _ ->
                body(Response.ok(), upload, etag, new ByteRange(0, size), withBody);
            case ByteRange.RequestedRange.RangePart part ->
                body(
                        Response.status(206)
                                .header("Content-Range", part.range().contentRange(size)),
                        upload,
                        etag,
                        part.range(),
                        withBody);
            case ByteRange.RequestedRange.Unsatisfiable _ -> {
                ApiProblem problem =
                        ApiProblem.of(ProblemKind.RANGE_NOT_SATISFIABLE, "The file has " + size + " bytes.");
                yield Response.fromResponse(ProblemResponse.response(problem))
                        .header("Content-Range", "bytes */" + size)
                        .build();
            }
        };
    }

    /** The path after {@code /media/files/}, parsed here because JAX-RS truncates a name at its first semicolon. */
    private static String path(HttpServerRequest request) {
        String raw = request.path();
        try {
            String encoded = raw.substring(raw.indexOf(FILES) + FILES.length());
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw ApiProblem.notFound("file");
        }
    }

    private Upload find(FileScope scope, String path) {
        List<String> parts = List.of(path.split("/", -1));
        if (parts.size() != 4 || !BlobKey.isValid(path)) {
            throw ApiProblem.notFound("file");
        }
        return UploadId.parse(parts.get(2))
                .flatMap(id -> store.find(scope, id))
                .filter(upload -> upload.state() == Upload.State.STORED
                        && upload.key().text().equals(path))
                .orElseThrow(() -> ApiProblem.notFound("file"));
    }

    private Response body(
            Response.ResponseBuilder response, Upload upload, String etag, ByteRange range, boolean withBody) {
        headers(response, upload, etag)
                .header("Accept-Ranges", "bytes")
                .header("Content-Length", range.length())
                .type(upload.contentType());
        if (withBody) {
            response.entity(entity(upload, range)); // Opened here, so that an unavailable store is a 503.
        }
        return response.build();
    }

    /** The kernel sends a local file, so that a slow client occupies no thread and no buffers. */
    private Object entity(Upload upload, ByteRange range) {
        try {
            Optional<Path> local = blobs.localFile(upload.key(), upload.info());
            if (local.isPresent()) {
                return new PathPart(local.get(), range.first(), range.length());
            }
            return stream(blobs.open(upload.key(), upload.info(), range.first(), range.length()));
        } catch (NoSuchFileException _) {
            throw ApiProblem.notFound("file");
        } catch (IOException _) {
            throw ApiProblem.unavailable("The file could not be read right now.", RETRY_AFTER);
        }
    }

    private static StreamingOutput stream(InputStream bytes) {
        return raw -> {
            OutputStream output = PacedOutputStream.of(raw);
            try (bytes) {
                byte[] buffer = new byte[BUFFER];
                for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
                    output.write(buffer, 0, n);
                }
            }
        };
    }

    private static Response.ResponseBuilder headers(Response.ResponseBuilder response, Upload upload, String etag) {
        return response.header("Content-Disposition", ContentDisposition.attachment(upload.originalName()))
                .header("Content-Security-Policy", "sandbox; default-src 'none'")
                .header("ETag", etag);
    }
}
