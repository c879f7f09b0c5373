package dev.parley.blob;

import dev.parley.settings.Setting;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Port: stores files. A file is written once, completely or not at all, and never changes. An unavailable or full store
 * causes an {@link dev.parley.problem.ApiProblem} of kind UNAVAILABLE, as the database does.
 */
public interface BlobStore {
    /**
     * Checks at startup that the store does what Parley needs.
     *
     * @throws SettingsException if not; says what to change
     */
    void check();

    /** The same on standby, where only what reading needs is tried, and nothing is written. */
    void checkReading();

    /** Why files cannot be stored and read right now, as a sentence; empty if they can. Asked again and again. */
    Optional<String> fault();

    /** The setting that names the store. */
    Setting setting();

    /** Where an operator finds a file of the store: a path or an {@code s3://} URI. */
    String locate(BlobKey key);

    /** The bucket in the URIs of its files. */
    String bucket();

    /** The host, with its port if any, that clients may use in {@code https} URLs of its files. */
    Optional<String> host();

    /**
     * The origin of the URLs that {@link #sign} returns, if it is not this service's: the content security policy must
     * allow uploads to it.
     */
    Optional<String> uploadOrigin();

    /**
     * Creates a URL with which a client may write the file once.
     *
     * @param baseUrl the address at which the client reaches this service
     */
    SignedUpload sign(UploadGrant grant, String baseUrl);

    /** Writes a file; false if the key already exists, whose file then stays. */
    boolean put(BlobKey key, String contentType, Path file) throws IOException;

    /** Copies a file; false if the target key already exists, whose file then stays. */
    boolean copy(BlobKey from, BlobKey to) throws IOException;

    Optional<BlobInfo> info(BlobKey key);

    /**
     * Opens a range of a file. Fails if the file is no longer the one that {@link #info} described, for example because
     * it was replaced outside the service.
     *
     * @throws NoSuchFileException if it does not exist or was replaced
     */
    InputStream open(BlobKey key, BlobInfo expected, long from, long length) throws IOException;

    /**
     * The file on the local disk, from which the kernel can send it; empty if the store is remote.
     *
     * @throws NoSuchFileException as {@link #open} does
     */
    default Optional<Path> localFile(BlobKey key, BlobInfo expected) throws IOException {
        return Optional.empty();
    }

    /** Deletes the file if it exists. */
    void delete(BlobKey key);

    /** Deletes the remains of writes that broke off before this time. */
    void sweep(Instant before);
}
