package dev.parley.media;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
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
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Stores files that tasks create or name, and passes them on by their S3-style URI. An organization can access only its
 * own prefix, and cannot learn whether other files exist. Files are streamed through a temporary file with the size
 * limit of uploads; an unavailable store is an {@link ApiProblem} of kind UNAVAILABLE.
 */
@Singleton
public final class GeneratedFiles {
    private static final Duration FETCH_DEADLINE = Duration.ofMinutes(2);
    private static final int BUFFER = 64 * 1024;

    private final MediaStore store;
    private final UploadService uploads;
    private final TempFiles scratch;
    private final BlobStore blobs;
    private final EgressClient egress;
    private final Clock clock;

    public GeneratedFiles(
            MediaStore store,
            UploadService uploads,
            TempFiles scratch,
            BlobStore blobs,
            EgressClient egress,
            Clock clock) {
        this.scratch = scratch;
        this.store = store;
        this.uploads = uploads;
        this.blobs = blobs;
        this.egress = egress;
        this.clock = clock;
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
    public StoredFile store(FileReference use, String name, @Nullable String contentType, InputStream bytes)
            throws FileException {
        return storeCopy(temporary -> {
            copyTo(bytes, temporary);
            return keep(use, name, contentType, temporary);
        });
    }

    /** Stores a file from memory. */
    public StoredFile store(FileReference use, String name, @Nullable String contentType, byte[] bytes)
            throws FileException {
        return store(use, name, contentType, new ByteArrayInputStream(bytes));
    }

    /**
     * Moves the file of a URL to the media storage: a stored file stays, a file elsewhere under the organization's
     * prefix is copied within the store, all others are downloaded. The source is never deleted, so no failure loses a
     * file.
     *
     * @throws FileException if that is not possible
     */
    public StoredFile move(FileReference use, String url) throws FileException, InterruptedException {
        FileUrl parsed =
                parse(url).orElseThrow(() -> FileException.permanent("'" + shortened(url) + "' does not name a file."));
        return switch (parsed) {
            case FileUrl.InBucket location when location.bucket().equals(blobs.bucket()) -> adopt(use, location);
            case FileUrl.InBucket location
            when url.startsWith("s3://") ->
                throw FileException.permanent(
                        "This service does not store files in the bucket '" + location.bucket() + "'.");
            case FileUrl.InBucket _ -> fetch(use, url);
            case FileUrl.OnTheWeb _ -> fetch(use, url);
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
    public Optional<String> check(FileScope view, String url) {
        Optional<FileUrl> parsed = parse(url);
        if (parsed.isEmpty()) {
            return egress.rules().check(url).or(() -> Optional.of("The URL does not name a file."));
        }
        if (parsed.get() instanceof FileUrl.InBucket location
                && location.bucket().equals(blobs.bucket())) {
            Optional<Upload> upload = find(view, location);
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
        return parse(url)
                .filter(FileUrl.InBucket.class::isInstance)
                .map(FileUrl.InBucket.class::cast)
                .flatMap(location -> find(FileScope.all(organization), location))
                .filter(upload -> upload.state() == Upload.State.STORED)
                .map(upload -> StoredFile.of(upload, blobs.bucket()));
    }

    /** Same within a transaction. */
    public Optional<StoredFile> find(Handle handle, OrganizationId organization, String url) {
        return parse(url)
                .filter(FileUrl.InBucket.class::isInstance)
                .map(FileUrl.InBucket.class::cast)
                .flatMap(location -> id(organization, location)
                        .flatMap(id -> MediaStore.find(handle, FileScope.all(organization), id))
                        .filter(upload -> upload.key().text().equals(location.path())))
                .filter(upload -> upload.state() == Upload.State.STORED)
                .map(upload -> StoredFile.of(upload, blobs.bucket()));
    }

    /**
     * Opens a stored file of the organization.
     *
     * @throws FileException when there is none
     */
    public OpenFile open(OrganizationId organization, String uri) throws FileException {
        StoredFile file = find(organization, uri).orElseThrow(() -> FileException.permanent("There is no such file."));
        Upload upload = find(FileScope.all(organization), new FileUrl.InBucket(file.bucket(), file.path()))
                .orElseThrow(() -> FileException.permanent("There is no such file."));
        try {
            return new OpenFile(file, blobs.open(upload.key(), upload.info(), 0, file.size()));
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

    private Optional<Upload> find(FileScope view, FileUrl.InBucket location) {
        return location.bucket().equals(blobs.bucket())
                ? id(view.organization(), location)
                        .flatMap(id -> store.find(view, id))
                        .filter(upload -> upload.key().text().equals(location.path()))
                : Optional.empty();
    }

    private StoredFile adopt(FileReference use, FileUrl.InBucket location) throws FileException {
        Optional<Upload> known = find(FileScope.all(use.organization()), location);
        if (known.isPresent()) {
            try {
                Upload upload = uploads.verified(known.get(), "");
                store.use(upload.id(), use);
                return StoredFile.of(upload, blobs.bucket());
            } catch (ApiProblem e) {
                if (e.kind() == ProblemKind.UNAVAILABLE) {
                    throw e;
                }
                throw FileException.permanent(e.detail());
            }
        }
        // Another organization's file and an unknown file get the same response.
        if (!location.path().startsWith(use.organization().text() + "/") || !BlobKey.isValid(location.path())) {
            throw FileException.permanent("There is no such file.");
        }
        return copy(use, new BlobKey(location.path()));
    }

    /** Copies a file that a third party with access to the bucket stored under the organization's prefix. */
    private StoredFile copy(FileReference use, BlobKey from) throws FileException {
        try {
            BlobInfo source = blobs.info(from).orElseThrow(() -> FileException.permanent("There is no such file."));
            if (source.size() > uploads.maxBytes()) {
                throw tooLarge();
            }
            FileDigest inspection;
            try (InputStream bytes = blobs.open(from, source, 0, source.size())) {
                inspection = FileDigest.of(bytes);
            }
            String name = FileName.safe(from.text()).orElse("file");
            Upload upload = location(use, name, FileTypeDetector.type(inspection, name));
            blobs.copy(from, upload.key());
            return register(use, upload, inspection);
        } catch (FileException e) {
            throw e;
        } catch (IOException e) {
            throw FileException.of("The file could not be copied.", !(e instanceof NoSuchFileException), e);
        }
    }

    private StoredFile fetch(FileReference use, String url) throws FileException, InterruptedException {
        EgressRequest request =
                EgressRequest.get(url).withDeadline(FETCH_DEADLINE).withMaxResponseBytes(uploads.maxBytes());

        Path temporary = temporary();
        try {
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
            return keep(use, FileUrl.name(url).orElse("file"), null, temporary);
        } catch (EgressException e) {
            throw FileException.of(e.detail(), e.isTransient(), e);
        } catch (FileException e) {
            throw e;
        } catch (IOException e) {
            throw FileException.of("The file could not be fetched.", true, e);
        } finally {
            TempFiles.delete(temporary);
        }
    }

    /** Stores the temporary file's bytes, and then its metadata. */
    private StoredFile keep(FileReference use, String name, @Nullable String contentType, Path temporary)
            throws IOException {
        FileDigest inspection;
        try (InputStream bytes = Files.newInputStream(temporary)) {
            inspection = FileDigest.of(bytes);
        }
        String safe = FileName.safe(name).orElse("file");
        String type = Optional.ofNullable(contentType)
                .flatMap(FileKind::type)
                .orElseGet(() -> FileTypeDetector.type(inspection, safe));
        Upload upload = location(use, safe, type);
        blobs.put(upload.key(), type, temporary);
        return register(use, upload, inspection);
    }

    private StoredFile register(FileReference use, Upload upload, FileDigest inspection) throws FileException {
        BlobInfo info = blobs.info(upload.key())
                .filter(found -> found.size() == inspection.size())
                .orElseThrow(() -> FileException.of("The file could not be stored.", true, null));
        Upload stored = upload.stored(info, inspection.sha256());
        if (!store.stored(stored, use)) {
            throw FileException.of("The file could not be stored.", true, null);
        }
        return StoredFile.of(stored, blobs.bucket());
    }

    /**
     * Reserves a unique location before the bytes are stored, so that the remains of a failure are deleted like
     * abandoned uploads.
     */
    private Upload location(FileReference use, String name, String type) {
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return store.insert(new Upload(
                use.organization(),
                UploadId.next(),
                FileKind.of(type),
                FileName.stored(now, name),
                name,
                type,
                null,
                use.teamId(),
                use.workflowId(),
                Upload.State.PENDING,
                null,
                null,
                "system",
                now));
    }

    /** Work on a temporary file. */
    private interface TempCopy {
        StoredFile run(Path temporary) throws IOException;
    }

    private StoredFile storeCopy(TempCopy work) throws FileException {
        Path temporary = temporary();
        try {
            return work.run(temporary);
        } catch (FileException e) {
            throw e;
        } catch (IOException e) {
            throw FileException.of("The file could not be stored.", true, e);
        } finally {
            TempFiles.delete(temporary);
        }
    }

    private Path temporary() {
        try {
            return scratch.file("file");
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

    private FileException tooLarge() {
        return FileException.permanent("The file is larger than the " + uploads.maxBytes() + " bytes allowed.");
    }

    private static String shortened(String url) {
        return Text.truncate(url, 200, "…");
    }
}
