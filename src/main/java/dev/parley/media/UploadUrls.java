package dev.parley.media;

import dev.parley.blob.BlobStore;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.UploadGrant;
import dev.parley.http.RequestValidator;
import dev.parley.problem.Violation;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Creates upload URLs, the first step of an upload, for API keys and dashboard users. */
@Singleton
public final class UploadUrls {
    private static final int MAX_NAME = 1_024;

    private final UploadService uploads;
    private final BlobStore blobs;
    private final PublicAddress here;

    public UploadUrls(UploadService uploads, BlobStore blobs, PublicAddress here) {
        this.uploads = uploads;
        this.blobs = blobs;
        this.here = here;
    }

    /** A request for an upload URL. */
    @Schema(
            name = "PresignedUrlRequest",
            requiredProperties = {"filename", "content_type"})
    public record PresignRequest(
            @Schema(minLength = 1, maxLength = MAX_NAME, examples = "invoice.pdf") @Nullable
            String filename,

            @Schema(
                    description = "audio/*, image/* (not SVG), video/mp4, video/webm, video/quicktime, application/pdf,"
                            + " XLSX or text/csv.",
                    examples = "application/pdf")
            @Nullable
            String contentType,

            @Schema(description = "In bytes; binds the URL to exactly this size.", minimum = "1", examples = "52301")
            @Nullable
            Long size) {
        static final PresignRequest NONE = new PresignRequest(null, null, null);
    }

    /**
     * The URL and headers for an upload.
     *
     * @param headers that the PUT must carry
     * @param filename the stored name, for POST /messages
     */
    @Schema(name = "PresignedUrl")
    public record PresignedUrl(
            @Schema(description = "Valid for 15 minutes and for one upload.")
            String uploadUrl,

            @Schema(examples = "PUT") String method,

            @Schema(
                    type = SchemaType.OBJECT,
                    description = "Headers that the upload must carry.",
                    additionalProperties = String.class)
            Map<String, String> headers,

            @Schema(description = "The name for POST /messages.", examples = "20300131_120000_invoice.pdf")
            String filename,

            @Schema(description = "S3-style URI, for file_urls of a trigger.")
            String fileUrl,

            Instant expiresAt,
            long maxBytes) {}

    /** The requested upload; the caller stores it. */
    Upload prepare(FileScope view, String createdBy, PresignRequest request) {
        var validator = new RequestValidator();
        String name = validator.text(request.filename, "/filename", 1, MAX_NAME);
        if (request.contentType == null) {
            validator.add(Violation.missing("/content_type"));
        }
        validator.done();
        return uploads.prepare(
                view, createdBy, name, request.contentType == null ? "" : request.contentType, request.size);
    }

    /** The URL under the address by which the client reaches the service. */
    PresignedUrl sign(Upload upload, HttpServerRequest request) {
        Instant expires = upload.createdAt().plus(UploadService.URL_LIFETIME);
        var grant = new UploadGrant(upload.key(), upload.contentType(), upload.size(), uploads.maxBytes(), expires);
        SignedUpload signed = blobs.sign(grant, here.of(request));
        return new PresignedUrl(
                signed.url(),
                "PUT",
                signed.headers(),
                upload.filename(),
                "s3://" + blobs.bucket() + "/" + upload.key(),
                expires,
                uploads.maxBytes());
    }
}
