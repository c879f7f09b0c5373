package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobStore;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.UploadGrant;
import dev.parley.db.Database;
import dev.parley.http.RequestValidator;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Text;
import dev.parley.media.core.FileKind;
import dev.parley.media.core.FileName;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.Settings;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The life of a file from the request for an upload URL to its first use. */
@Singleton
public final class UploadService {
    private static final Duration URL_LIFETIME = Duration.ofMinutes(15);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final String NOT_UPLOADED = "No file of this name and type was uploaded.";

    /** The maximum number of pending uploads with one name among which the uploaded one is searched. */
    private static final int MAX_PENDING = 100;

    private final Database database;
    private final MediaStore store;
    private final BlobStore blobs;
    private final PublicAddress here;
    private final long maxBytes;
    private final Clock clock;

    public UploadService(Database database, BlobStore blobs, PublicAddress here, Settings.Files settings, Clock clock) {
        this.database = database;
        this.store = database.statements(MediaStore.class);
        this.blobs = blobs;
        this.here = here;
        this.maxBytes = settings.maxBytes();
        this.clock = clock;
    }

    /** A request for an upload URL. */
    @FurtherChecks
    @Schema(name = "PresignedUrlRequest")
    public record PresignRequest(
            @NotNull @Text(min = 1, max = 1_024) @Schema(examples = "invoice.pdf")
            String filename,

            @NotNull
            @Schema(
                    description = "audio/*, image/* (not SVG), video/mp4, video/webm, video/quicktime, application/pdf,"
                            + " XLSX or text/csv.",
                    examples = "application/pdf")
            String contentType,

            @Min(1) @Schema(description = "In bytes; binds the URL to exactly this size.", examples = "52301") @Nullable
            Long size) {}

    /** The URL and headers for an upload. */
    @Schema(name = "PresignedUrl")
    public record PresignedUrl(
            @Schema(
                    description = "Valid for 15 minutes and for one upload.",
                    examples = "https://parley.example/developer/uploads/eyJ")
            String uploadUrl,

            @Schema(examples = "PUT") String method,

            @Schema(
                    type = SchemaType.OBJECT,
                    description = "Headers that the upload must carry.",
                    additionalProperties = String.class)
            Map<String, String> headers,

            @Schema(description = "The name for POST /messages.", examples = "20300131_120000_invoice.pdf")
            String filename,

            @Schema(
                    description = "S3-style URI, for file_urls of a trigger.",
                    examples = "s3://parley/0192f0c1a2b37c4d8e5f60718293a4b5/pdf/20300131_120000_invoice.pdf")
            String fileUrl,

            Instant expiresAt,
            @Schema(examples = "104857600") long maxBytes) {}

    /** The requested upload; nothing is stored yet. */
    Upload prepare(FileScope scope, String createdBy, PresignRequest request) {
        var validator = RequestValidator.of(request);
        String name =
                Optional.ofNullable(request.filename).flatMap(FileName::safe).orElse("");
        validator.require(
                request.filename == null || !name.isEmpty(),
                ViolationCode.INVALID_FORMAT,
                "/filename",
                "'/filename' must name a file.");
        String type =
                Optional.ofNullable(request.contentType).flatMap(FileKind::type).orElse("");
        validator.require(
                request.contentType == null || !type.isEmpty(),
                ViolationCode.INVALID_FORMAT,
                "/content_type",
                "'/content_type' must be a MIME type such as image/png.");
        validator.done();
        if (!FileKind.of(type).isUploadable()) {
            throw ApiProblem.of(
                    ProblemKind.UNSUPPORTED_FILE_TYPE,
                    Violation.invalid(
                            ViolationCode.NOT_ONE_OF,
                            "/content_type",
                            "Files of type " + type
                                    + " cannot be uploaded. Supported are audio/*, image/* (not SVG), video/mp4,"
                                    + " video/webm, video/quicktime, application/pdf, XLSX and text/csv."));
        }
        if (request.size != null && request.size > maxBytes) {
            throw tooLarge();
        }
        return pending(scope, createdBy, name, type, request.size);
    }

    Upload pending(FileScope scope, String createdBy, String name, String type, @Nullable Long size) {
        return Upload.pending(
                scope, createdBy, name, type, size, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * Inserts an upload under a stored name that is unique in the organization: its time, or if that is taken, the next
     * free second.
     *
     * @return the upload with its name
     */
    Upload insert(Upload upload) {
        return database.transaction(() -> {
            Optional<Upload> inserted = store.insert(upload, upload.filename());
            Instant second = upload.createdAt();
            if (inserted.isEmpty()) {
                // Otherwise all would try the same second, and wait for each other once more.
                store.lockName(upload);
            }
            while (inserted.isEmpty()) {
                // The latest file with the name shows which seconds are taken.
                Instant latest = store.latestName(upload)
                        .flatMap(FileName::second)
                        .filter(second::isBefore)
                        .orElse(second);
                second = latest.plusSeconds(1);
                inserted = store.insert(upload, FileName.stored(second, upload.originalName()));
            }
            return inserted.get();
        });
    }

    /** The URL under the address by which the client reaches the service. */
    PresignedUrl sign(Upload upload, HttpServerRequest request) {
        Instant expires = upload.createdAt().plus(URL_LIFETIME);
        var grant = new UploadGrant(upload.key(), upload.contentType(), upload.size(), maxBytes, expires);
        SignedUpload signed = blobs.sign(grant, here.of(request));
        String fileUrl = "s3://" + blobs.bucket() + "/" + upload.key();
        return new PresignedUrl(signed.url(), "PUT", signed.headers(), upload.filename(), fileUrl, expires, maxBytes);
    }

    long maxBytes() {
        return maxBytes;
    }

    /**
     * Verifies the file that a message names and records its use. A 400 problem at {@code /filename} if it does not
     * exist, was not uploaded yet, or does not match its type. Reads the whole file the first time.
     */
    public StoredFile attach(FileScope scope, String filename, String contentType, FileReference reference) {
        Upload upload = FileKind.type(contentType)
                .flatMap(type -> find(scope, filename, type))
                .orElseThrow(() -> violation(ViolationCode.NOT_FOUND, "/filename", NOT_UPLOADED));
        StoredFile file = StoredFile.of(verified(upload, "/filename"), blobs.bucket());
        store.use(upload.id(), reference);
        return file;
    }

    /** Found by the stored name, else the newest uploaded one with the original name, else the newest pending one. */
    private Optional<Upload> find(FileScope scope, String filename, String type) {
        return FileName.safeStored(filename)
                .flatMap(name -> store.findByName(scope, name, type))
                .or(() -> FileName.safe(filename).flatMap(name -> findByOriginalName(scope, name, type)));
    }

    private Optional<Upload> findByOriginalName(FileScope scope, String name, String type) {
        Optional<Upload> verified = store.findByOriginalName(scope, name, type, Upload.State.STORED, 1).stream()
                .findFirst();
        List<Upload> pending = store.findByOriginalName(scope, name, type, Upload.State.PENDING, MAX_PENDING);
        // Only the blob store knows which of the pending ones were uploaded.
        return pending.stream()
                .filter(upload -> verified.isEmpty()
                        || upload.id().text().compareTo(verified.get().id().text()) > 0)
                .filter(upload -> blobs.info(upload.key()).isPresent())
                .findFirst()
                .or(() -> verified)
                .or(() -> pending.stream().findFirst());
    }

    /**
     * The upload after verification of its bytes.
     *
     * @param path of the request field for problems
     */
    Upload verified(Upload upload, String path) {
        if (upload.state() == Upload.State.STORED) {
            return upload;
        }
        BlobInfo info = blobs.info(upload.key())
                .orElseThrow(() -> violation(
                        ViolationCode.NOT_FOUND,
                        path,
                        "The file was not uploaded yet. PUT it to its upload_url first."));
        if (info.size() > maxBytes) {
            throw tooLarge();
        }
        FileDigest file = inspect(upload, info, path);
        Optional<String> violation = upload.size() != null && upload.size() != file.size()
                ? Optional.of("The file does not have the declared size.")
                : FileTypeDetector.violation(upload.contentType(), file);
        if (violation.isPresent()) {
            throw violation(ViolationCode.MISMATCH, path, violation.get());
        }
        return store.setStored(upload.organization(), upload.id(), info, file.sha256(), null)
                .orElseThrow(() -> violation(ViolationCode.NOT_FOUND, path, NOT_UPLOADED));
    }

    private FileDigest inspect(Upload upload, BlobInfo info, String path) {
        try (InputStream bytes = blobs.open(upload.key(), info, 0, info.size())) {
            return FileDigest.of(bytes);
        } catch (NoSuchFileException _) {
            throw violation(ViolationCode.MISMATCH, path, "The file changed while it was being read.");
        } catch (IOException _) {
            throw ApiProblem.unavailable("The file could not be read right now; nothing was stored.", RETRY_AFTER);
        }
    }

    private ApiProblem tooLarge() {
        return ApiProblem.of(
                ProblemKind.PAYLOAD_TOO_LARGE, "The file is larger than the " + maxBytes + " bytes allowed.");
    }

    private static ApiProblem violation(ViolationCode code, String path, String detail) {
        return ApiProblem.invalid(Violation.invalid(code, path, detail));
    }
}
