package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.db.Database;
import dev.parley.disk.TempFiles;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.id.OrganizationId;
import dev.parley.id.UploadId;
import dev.parley.media.core.FileKind;
import dev.parley.media.core.FileName;
import dev.parley.media.core.FileUrl;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Text;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of tasks by their S3-style URI: stores those that tasks create, and opens any stored file, uploads included. An organization can access only its
 * own prefix, and cannot learn whether other files exist. Files are streamed through a temporary file with the size
 * limit of uploads; an unavailable store is an {@link ApiProblem} of kind UNAVAILABLE.
 */
@Singleton
public final class TaskFiles {
    private static final Duration FETCH_DEADLINE = Duration.ofMinutes(2);
    private static final int BUFFER = 64 * 1024;

    private final Database database;
    private final MediaStore store;
    private final UploadService uploads;
    private final TempFiles tempFiles;
    private final BlobStore blobs;
    private final EgressClient egress;

    public TaskFiles(
            Database database, UploadService uploads, TempFiles tempFiles, BlobStore blobs, EgressClient egress) {
        this.database = database;
        this.store = database.statements(MediaStore.class);
        this.uploads = uploads;
        this.tempFiles = tempFiles;
        this.blobs = blobs;
        this.egress = egress;
    }

    /**
     * An open file; the caller closes it.
     *
     * @param bytes the complete content
     */
    public record OpenFile(StoredFile file, InputStream bytes) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            bytes.close();
        }
    }

    /**
     * Stores a file made by a task.
     *
     * @param name such as {@code report.pdf}; made safe
     * @param contentType its MIME type; null to detect it from the bytes and the name
     * @param bytes read to the end, and not closed
     * @throws FileException if there are too many bytes, or reading them fails
     */
    public StoredFile store(FileReference reference, String name, @Nullable String contentType, InputStream bytes)
            throws FileException {
        return withTemporary("The file could not be stored.", temporary -> {
            copyTo(bytes, temporary);
            return keep(reference, name, contentType, temporary);
        });
    }

    /** Stores a file from memory. */
    public StoredFile store(FileReference reference, String name, @Nullable String contentType, byte[] bytes)
            throws FileException {
        return store(reference, name, contentType, new ByteArrayInputStream(bytes));
    }

    /**
     * Moves the file of a URL to the media storage: a stored file stays, a file elsewhere under the organization's
     * prefix is copied within the store, all others are downloaded. The source is never deleted, so no failure loses a
     * file.
     *
     * @throws FileException if that is not possible
     */
    public StoredFile move(FileReference reference, String url) throws FileException, InterruptedException {
        FileUrl parsed = parse(url)
                .orElseThrow(
                        () -> FileException.permanent("'" + Text.truncate(url, 200, "…") + "' does not name a file."));
        return switch (parsed) {
            case FileUrl.InBucket location when location.bucket().equals(blobs.bucket()) -> adopt(reference, location);
            case FileUrl.InBucket location
            when url.startsWith("s3://") ->
                throw FileException.permanent(
                        "This service does not store files in the bucket '" + location.bucket() + "'.");
            case FileUrl.InBucket _, FileUrl.OnTheWeb _ -> fetch(reference, url);
        };
    }

    /**
     * Whether a text is a URL that {@link #move} accepts: only a URL, with the scheme {@code s3}, {@code http} or
     * {@code https}.
     */
    public boolean isUrl(String text) {
        return text.length() <= 2_048
                && (text.startsWith("s3://") || text.startsWith("https://") || text.startsWith("http://"))
                && text.chars().noneMatch(c -> c == '\n' || c == '\r')
                && (text.startsWith("s3://") || text.indexOf(' ') < 0)
                && parse(text).isPresent();
    }

    /**
     * Why a URL for later use is invalid, as a sentence; empty if it is valid. Verifies an uploaded file of the
     * organization, which counts as used from then on.
     */
    public Optional<String> check(FileScope scope, String url) {
        Optional<FileUrl> parsed = parse(url);
        if (parsed.isEmpty()) {
            return egress.rules().check(url).or(() -> Optional.of("The URL does not name a file."));
        }
        if (parsed.get() instanceof FileUrl.InBucket location
                && location.bucket().equals(blobs.bucket())) {
            Optional<Upload> upload = find(scope, location);
            if (upload.isEmpty()) {
                return Optional.of("There is no such file.");
            }
            try {
                uploads.verified(upload.get(), "");
                return Optional.empty();
            } catch (ApiProblem e) {
                if (e.kind() == ProblemKind.UNAVAILABLE) {
                    throw e;
                }
                return Optional.of(e.detail());
            }
        }
        return url.startsWith("s3://")
                ? Optional.of("This service does not store files in that bucket.")
                : egress.rules().check(url);
    }

    /** The stored file of a URI or URL, if it belongs to the organization. */
    public Optional<StoredFile> find(OrganizationId organization, String url) {
        return findStored(organization, url).map(upload -> StoredFile.of(upload, blobs.bucket()));
    }

    private Optional<Upload> findStored(OrganizationId organization, String url) {
        return parse(url)
                .filter(FileUrl.InBucket.class::isInstance)
                .map(FileUrl.InBucket.class::cast)
                .flatMap(location -> find(FileScope.all(organization), location))
                .filter(upload -> upload.state() == Upload.State.STORED);
    }

    /**
     * Opens a stored file of the organization.
     *
     * @throws FileException when there is none
     */
    public OpenFile open(OrganizationId organization, String uri) throws FileException {
        Upload upload = findStored(organization, uri).orElseThrow(TaskFiles::missing);
        try {
            InputStream bytes =
                    blobs.open(upload.key(), upload.info(), 0, upload.info().size());
            return new OpenFile(StoredFile.of(upload, blobs.bucket()), bytes);
        } catch (IOException e) {
            throw FileException.of("The file could not be read.", !(e instanceof NoSuchFileException), e);
        }
    }

    private Optional<FileUrl> parse(String url) {
        return FileUrl.parse(url, blobs.host().map(Set::of).orElse(Set.of()));
    }

    private static Optional<UploadId> id(OrganizationId organization, FileUrl.InBucket location) {
        String[] parts = location.path().split("/", -1);
        return parts.length == 4 && parts[0].equals(organization.text()) ? UploadId.parse(parts[2]) : Optional.empty();
    }

    private Optional<Upload> find(FileScope scope, FileUrl.InBucket location) {
        return location.bucket().equals(blobs.bucket())
                ? id(scope.organization(), location)
                        .flatMap(id -> store.find(scope, id))
                        .filter(upload -> upload.key().text().equals(location.path()))
                : Optional.empty();
    }

    private StoredFile adopt(FileReference reference, FileUrl.InBucket location) throws FileException {
        Optional<Upload> known = find(FileScope.all(reference.organization()), location);
        if (known.isPresent()) {
            try {
                Upload upload = uploads.verified(known.get(), "");
                store.use(upload.id(), reference);
                return StoredFile.of(upload, blobs.bucket());
            } catch (ApiProblem e) {
                if (e.kind() == ProblemKind.UNAVAILABLE) {
                    throw e;
                }
                throw FileException.permanent(e.detail());
            }
        }
        // Another organization's file and an unknown file get the same response.
        if (!location.path().startsWith(reference.organization().text() + "/") || !BlobKey.isValid(location.path())) {
            throw missing();
        }
        return copy(reference, new BlobKey(location.path()));
    }

    /** Copies a file that a third party with access to the bucket stored under the organization's prefix. */
    private StoredFile copy(FileReference reference, BlobKey from) throws FileException {
        try {
            BlobInfo source = blobs.info(from).orElseThrow(TaskFiles::missing);
            if (source.size() > uploads.maxBytes()) {
                throw tooLarge();
            }
            FileDigest inspection;
            try (InputStream bytes = blobs.open(from, source, 0, source.size())) {
                inspection = FileDigest.of(bytes);
            }
            String name = FileName.safe(from.text()).orElse("file");
            Upload upload = location(reference, name, FileTypeDetector.type(inspection, name));
            blobs.copy(from, upload.key());
            return register(reference, upload, inspection);
        } catch (FileException e) {
            throw e;
        } catch (IOException e) {
            throw FileException.of("The file could not be copied.", !(e instanceof NoSuchFileException), e);
        }
    }

    private StoredFile fetch(FileReference reference, String url) throws FileException, InterruptedException {
        EgressRequest request =
                EgressRequest.get(url).withDeadline(FETCH_DEADLINE).withMaxResponseBytes(uploads.maxBytes());
        return this.<InterruptedException>withTemporary("The file could not be fetched.", temporary -> {
            int status = egress.stream(request, (head, body) -> {
                if (head.isSuccess()) {
                    copyTo(body, temporary);
                }
                return head.status();
            });
            if (status < 200 || status > 299) {
                boolean isTransient = status >= 500 || status == 429;
                throw FileException.of("The file's host returned " + status + ".", isTransient, null);
            }
            return keep(reference, FileUrl.name(url).orElse("file"), null, temporary);
        });
    }

    /** Stores the temporary file's bytes, and then its metadata. */
    private StoredFile keep(FileReference reference, String name, @Nullable String contentType, Path temporary)
            throws IOException {
        FileDigest inspection;
        try (InputStream bytes = Files.newInputStream(temporary)) {
            inspection = FileDigest.of(bytes);
        }
        String safe = FileName.safe(name).orElse("file");
        String type = Optional.ofNullable(contentType)
                .flatMap(FileKind::type)
                .orElseGet(() -> FileTypeDetector.type(inspection, safe));
        Upload upload = location(reference, safe, type);
        blobs.put(upload.key(), type, temporary);
        return register(reference, upload, inspection);
    }

    private StoredFile register(FileReference reference, Upload upload, FileDigest inspection) throws FileException {
        BlobInfo info = blobs.info(upload.key())
                .filter(found -> found.size() == inspection.size())
                .orElseThrow(() -> FileException.of("The file could not be stored.", true, null));
        Optional<Upload> stored = database.transaction(() -> {
            Optional<Upload> set = store.setStored(
                    upload.organization(), upload.id(), info, inspection.sha256(), reference.instance());
            set.ifPresent(_ -> store.use(upload.id(), reference));
            return set;
        });
        return stored.map(file -> StoredFile.of(file, blobs.bucket()))
                .orElseThrow(() -> FileException.of("The file could not be stored.", true, null));
    }

    /**
     * Reserves a unique location before the bytes are stored, so that the remains of a failure are deleted like
     * abandoned uploads.
     */
    private Upload location(FileReference reference, String name, String type) {
        var scope = new FileScope(reference.organization(), reference.teamId(), reference.workflowId());
        return uploads.insert(uploads.pending(scope, "system", name, type, null));
    }

    /** Work on a temporary file. */
    private interface TempFileWork<X extends Exception> {
        StoredFile run(Path temporary) throws IOException, X;
    }

    /** @param failure what an I/O error means */
    private <X extends Exception> StoredFile withTemporary(String failure, TempFileWork<X> work)
            throws FileException, X {
        Path temporary = temporary();
        try {
            return work.run(temporary);
        } catch (FileException e) {
            throw e;
        } catch (EgressException e) {
            throw FileException.of(e.detail(), e.isTransient(), e);
        } catch (IOException e) {
            throw FileException.of(failure, true, e);
        } finally {
            TempFiles.delete(temporary);
        }
    }

    private Path temporary() {
        try {
            return tempFiles.file("file");
        } catch (IOException _) {
            throw ApiProblem.unavailable(
                    "The file storage cannot be used right now; nothing was stored.", Duration.ofSeconds(5));
        }
    }

    private void copyTo(InputStream bytes, Path temporary) throws IOException {
        long written = 0;
        try (OutputStream file = Files.newOutputStream(temporary)) {
            byte[] buffer = new byte[BUFFER];
            for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
                written += n;
                if (written > uploads.maxBytes()) {
                    throw tooLarge();
                }
                file.write(buffer, 0, n);
            }
        }
    }

    private static FileException missing() {
        return FileException.permanent("There is no such file.");
    }

    private FileException tooLarge() {
        return FileException.permanent("The file is larger than the " + uploads.maxBytes() + " bytes allowed.");
    }
}
