package dev.parley.blob.local;

import dev.parley.blob.BlobInfo;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.blob.HeadBuffer;
import dev.parley.blob.SignedUpload;
import dev.parley.blob.StoreIdentity;
import dev.parley.blob.UploadGrant;
import dev.parley.db.HmacHasher;
import dev.parley.disk.WritableDirectory;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Setting;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Stores files in a directory, which several nodes may share. Content is written to a temporary file, which gets its name
 * once it is complete and synced, so an aborted write leaves nothing. The name is given by a hard link, which never
 * replaces a file.
 */
public final class FileStore implements BlobStore {
    /** The path of uploads, relative to the service's address. */
    public static final String UPLOADS = "/developer/uploads";

    static final String BUCKET = "parley";

    private static final Logger LOG = Logger.getLogger(FileStore.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final int BUFFER = 128 * 1024;

    private final Path root;
    private final Path partial;
    private final UploadToken tokens;

    /** @param signing the key of the upload URLs */
    public FileStore(Path root, HmacHasher signing) {
        this.root = root;
        this.partial = root.resolve("partial");
        this.tokens = new UploadToken(signing);
    }

    /** The directory of the complete files below that of a store. */
    public static Path completeFiles(Path root) {
        return root.resolve("files");
    }

    @Override
    public void check() {
        WritableDirectory.require(setting(), root);
        WritableDirectory.require(setting(), partial);
        WritableDirectory.require(setting(), completeFiles(root));
    }

    /** Nothing: {@link StoreIdentity} finds a wrong directory. */
    @Override
    public void checkReading() {}

    @Override
    public Optional<String> fault() {
        return exists(StoreIdentity.KEY)
                ? WritableDirectory.fault(partial)
                        .map(reason -> "The directory " + partial + " cannot be written: " + reason + ".")
                : Optional.of("The file " + locate(StoreIdentity.KEY)
                        + " cannot be found: the directory of the files is" + " not mounted, or not this database's.");
    }

    @Override
    public Setting setting() {
        return Setting.PARLEY_FILES;
    }

    @Override
    public String locate(BlobKey key) {
        return path(key).toString();
    }

    @Override
    public String bucket() {
        return BUCKET;
    }

    @Override
    public Optional<String> host() {
        return Optional.empty();
    }

    @Override
    public Optional<String> uploadOrigin() {
        return Optional.empty();
    }

    @Override
    public SignedUpload sign(UploadGrant grant, String baseUrl) {
        return new SignedUpload(
                baseUrl + UPLOADS + '/' + tokens.sign(grant), Map.of("Content-Type", grant.contentType()));
    }

    /** The grant of a URL that was signed here. */
    Optional<UploadGrant> grant(String token) {
        return tokens.read(token);
    }

    boolean exists(BlobKey key) {
        return Files.exists(path(key));
    }

    /**
     * Writes a client's upload; keeps nothing if it is too long or ends early.
     *
     * @param length declared by the client; -1 for none
     * @throws IOException if the client's connection breaks; a full disk is a problem of kind UNAVAILABLE
     */
    void receive(UploadGrant grant, InputStream body, long length) throws IOException {
        Path temporary = temporary();
        try {
            long written = fill(temporary, body, grant.maxBytes());
            if (length >= 0 && written != length) {
                throw new EOFException("the body ended early");
            }
            if (!publish(temporary, grant.key())) {
                throw ApiProblem.of(ProblemKind.ALREADY_DONE, "This URL was already used. It allows one upload.");
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Copies the stream to disk and syncs it. Distinguishes failures of the disk from those of the client. */
    private static long fill(Path temporary, InputStream body, long max) throws IOException {
        long written = 0;
        try (FileChannel file = open(temporary)) {
            byte[] buffer = new byte[BUFFER];
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                written += n;
                if (written > max) {
                    throw ApiProblem.of(
                            ProblemKind.PAYLOAD_TOO_LARGE, "The file is larger than the " + max + " bytes allowed.");
                }
                write(file, ByteBuffer.wrap(buffer, 0, n));
            }
            sync(file);
        }
        keepTime(temporary);
        return written;
    }

    private static FileChannel open(Path temporary) {
        try {
            return FileChannel.open(temporary, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private static void write(FileChannel file, ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private static void sync(FileChannel file) {
        try {
            file.force(true);
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    /** The time is part of a file's version. Samba changes it up to two seconds later unless it was set. */
    private static void keepTime(Path temporary) {
        try {
            Files.setLastModifiedTime(temporary, FileTime.fromMillis(System.currentTimeMillis()));
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    @Override
    public boolean put(BlobKey key, String contentType, Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return store(key, bytes);
        }
    }

    @Override
    public boolean copy(BlobKey from, BlobKey to) throws IOException {
        try (InputStream bytes = Files.newInputStream(path(from))) {
            return store(to, bytes);
        }
    }

    private boolean store(BlobKey key, InputStream bytes) throws IOException {
        Path temporary = temporary();
        try {
            fill(temporary, bytes, Long.MAX_VALUE);
            return publish(temporary, key);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private Path temporary() {
        try {
            Files.createDirectories(partial);
            return Files.createTempFile(partial, "upload", ".part");
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private boolean publish(Path temporary, BlobKey key) {
        Path path = path(key);
        try {
            Files.createDirectories(directoryOf(path));
            boolean published = name(path, temporary, key);
            if (published) {
                syncDirectory(directoryOf(path));
            }
            return published;
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    /** Gives a file its name; false if the name is taken. */
    private boolean name(Path path, Path temporary, BlobKey key) throws IOException {
        try {
            Files.createLink(path, temporary);
            return true;
        } catch (FileAlreadyExistsException _) {
            // An NFS client that repeats a request, because the response was lost, finds its own link.
            return Files.isSameFile(path, temporary);
        } catch (FileSystemException | UnsupportedOperationException _) {
            // SMB, exFAT and most FUSE file systems have no hard links.
            return rename(path, temporary, key);
        }
    }

    /** Renaming replaces files, so a second file reserves the name for the moment. */
    boolean rename(Path path, Path temporary, BlobKey key) throws IOException {
        Path claim = partial.resolve(DiskName.of(key.text()) + ".claim");
        try {
            Files.createFile(claim);
        } catch (FileAlreadyExistsException _) {
            return false;
        }
        try {
            if (Files.exists(path)) {
                return false;
            }
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            Files.deleteIfExists(claim);
        }
    }

    private static void syncDirectory(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException | UnsupportedOperationException _) {
            // Not supported by every file system; the file's own bytes are synced.
        }
    }

    @Override
    public Optional<BlobInfo> info(BlobKey key) {
        try {
            BasicFileAttributes file = Files.readAttributes(path(key), BasicFileAttributes.class);
            return Optional.of(new BlobInfo(
                    file.size(), file.size() + "-" + file.lastModifiedTime().to(TimeUnit.MICROSECONDS)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    @Override
    public InputStream open(BlobKey key, BlobInfo expected, long from, long length) throws IOException {
        check(key, expected);
        try {
            FileChannel file = FileChannel.open(path(key), StandardOpenOption.READ);
            return new HeadBuffer(Channels.newInputStream(file.position(from)), length);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    @Override
    public Optional<Path> localFile(BlobKey key, BlobInfo expected) throws IOException {
        check(key, expected);
        return Optional.of(path(key).toAbsolutePath());
    }

    private void check(BlobKey key, BlobInfo expected) throws NoSuchFileException {
        if (!info(key).equals(Optional.of(expected))) {
            throw new NoSuchFileException("the stored file no longer exists");
        }
    }

    @Override
    public void delete(BlobKey key) {
        Path path = path(key);
        try {
            Files.deleteIfExists(path);
            // An upload has its own directory, which is deleted with it; parent directories are shared.
            Files.deleteIfExists(directoryOf(path));
        } catch (DirectoryNotEmptyException _) {
            // Other files are in it.
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    @Override
    public void sweep(Instant before) {
        if (!Files.isDirectory(partial)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(partial)) {
            for (Path file : left) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private Path path(BlobKey key) {
        Path path = completeFiles(root);
        for (String part : key.parts()) {
            path = path.resolve(DiskName.of(part));
        }
        return path;
    }

    private static Path directoryOf(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalStateException("a file is in the place of a directory");
        }
        return parent;
    }

    private static ApiProblem unavailable(IOException e) {
        LOG.errorf("The directory of the files cannot be used: %s", e);
        String cause = WritableDirectory.isNoSpace(e) ? "is full" : "cannot be used";
        return ApiProblem.unavailable("The file storage " + cause + " right now; nothing was stored.", RETRY_AFTER);
    }
}
