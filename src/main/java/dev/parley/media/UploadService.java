package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobStore;
import dev.parley.id.UploadId;
import dev.parley.media.core.FileKind;
import dev.parley.media.core.FileName;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The life of a file from the request for an upload URL to its first use. */
@Singleton
public final class UploadService {
    /** The validity of an upload URL. */
    public static final Duration URL_LIFETIME = Duration.ofMinutes(15);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final String NOT_UPLOADED = "No file of this name and type was uploaded.";

    private final MediaStore store;
    private final BlobStore blobs;
    private final long maxBytes;
    private final Clock clock;

    public UploadService(MediaStore store, BlobStore blobs, Settings.Files settings, Clock clock) {
        this.store = store;
        this.blobs = blobs;
        this.maxBytes = settings.maxBytes();
        this.clock = clock;
    }

    /** A new upload from a client's request; nothing is stored yet. */
    Upload prepare(FileScope view, String createdBy, String filename, String contentType, @Nullable Long size) {
        String name = FileName.safe(filename)
                .orElseThrow(() -> ApiProblem.invalid(Violation.invalid("/filename", "'/filename' must name a file.")));
        String type = FileKind.type(contentType)
                .orElseThrow(() -> ApiProblem.invalid(
                        Violation.invalid("/content_type", "'/content_type' must be a MIME type such as image/png.")));
        FileKind kind = FileKind.of(type);
        if (!kind.isUploadable()) {
            throw ApiProblem.of(
                    ProblemKind.UNSUPPORTED_FILE_TYPE,
                    Violation.invalid(
                            "/content_type",
                            "Files of type " + type
                                    + " cannot be uploaded. Supported are audio/*, image/* (not SVG), video/mp4,"
                                    + " video/webm, video/quicktime, application/pdf, XLSX and text/csv."));
        }
        if (size != null && size < 1) {
            throw ApiProblem.invalid(Violation.invalid("/size", "'/size' must be at least 1 byte."));
        }
        if (size != null && size > maxBytes) {
            throw tooLarge();
        }
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return new Upload(
                view.organization(),
                UploadId.next(),
                kind,
                FileName.stored(now, name),
                name,
                type,
                size,
                view.teamId(),
                view.workflowId(),
                Upload.State.PENDING,
                null,
                null,
                createdBy,
                now);
    }

    long maxBytes() {
        return maxBytes;
    }

    /**
     * Verifies the file that a message names and records its use. A 400 problem at {@code /filename} if it does not
     * exist, was not uploaded yet, or does not match its type. Reads the whole file the first time.
     */
    public StoredFile attach(FileScope view, String filename, String contentType, FileReference use) {
        Upload upload = FileKind.type(contentType)
                .flatMap(type -> find(view, filename, type))
                .orElseThrow(() -> ApiProblem.invalid(Violation.invalid("/filename", NOT_UPLOADED)));
        StoredFile file = StoredFile.of(verified(upload, "/filename"), blobs.bucket());
        store.use(upload.id(), use);
        return file;
    }

    /** Found by the stored name, else the newest uploaded one with the original name, else the newest pending one. */
    private Optional<Upload> find(FileScope view, String filename, String type) {
        Optional<Upload> named = store.findByName(view, filename, type);
        if (named.isPresent()) {
            return named;
        }
        List<Upload> candidates = store.findByOriginalName(view, filename, type);
        return candidates.stream()
                .filter(upload -> upload.state() == Upload.State.STORED
                        || blobs.info(upload.key()).isPresent())
                .findFirst()
                .or(() -> candidates.stream().findFirst());
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
                .orElseThrow(() -> violation(path, "The file was not uploaded yet. PUT it to its upload_url first."));
        if (info.size() > maxBytes) {
            throw tooLarge();
        }
        FileDigest file = inspect(upload, info, path);
        Optional<String> violation = upload.size() != null && upload.size() != file.size()
                ? Optional.of("The file does not have the declared size.")
                : FileTypeDetector.violation(upload.contentType(), file);
        if (violation.isPresent()) {
            throw violation(path, violation.get());
        }
        if (!store.stored(upload.organization(), upload.id(), info, file.sha256())) {
            throw violation(path, NOT_UPLOADED);
        }
        return upload.stored(info, file.sha256());
    }

    private FileDigest inspect(Upload upload, BlobInfo info, String path) {
        try (InputStream bytes = blobs.open(upload.key(), info, 0, info.size())) {
            return FileDigest.of(bytes);
        } catch (NoSuchFileException _) {
            throw violation(path, "The file changed while it was being read.");
        } catch (IOException _) {
            throw ApiProblem.unavailable("The file could not be read right now; nothing was stored.", RETRY_AFTER);
        }
    }

    private ApiProblem tooLarge() {
        return ApiProblem.of(
                ProblemKind.PAYLOAD_TOO_LARGE, "The file is larger than the " + maxBytes + " bytes allowed.");
    }

    private static ApiProblem violation(String path, String detail) {
        return ApiProblem.invalid(Violation.invalid(path, detail));
    }
}
