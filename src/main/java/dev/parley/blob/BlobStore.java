package dev.parley.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps files: a port. A file is written once, whole or not at all, and never changes. A store that is away, or full,
 * is a {@link dev.parley.problem.Problem} of kind UNAVAILABLE, as with the database.
 */
public interface BlobStore {
    /** The bucket in the URIs of its files. */
    String bucket();

    /** The host under which clients may name its files by {@code https}, with its port where it has one. */
    Optional<String> host();

    /**
     * Scheme, host and port of the URLs that {@link #sign} answers, where they are another's than this service's: a page
     * may send files there only when its policy says so.
     */
    Optional<String> uploadOrigin();

    /**
     * A URL under which a client may write the file, once.
     *
     * @param baseUrl under which the client reaches this service
     */
    SignedUpload sign(UploadGrant grant, String baseUrl);

    /** Writes a file of ours; false when there is one of that key already, which stays. */
    boolean put(BlobKey key, String contentType, Path file) throws IOException;

    /** Writes a file that is another one's copy; false when there is one of that key already, which stays. */
    boolean copy(BlobKey from, BlobKey to) throws IOException;

    Optional<BlobInfo> info(BlobKey key);

    /**
     * Opens a part of a file. Its bytes are those that {@link #info} told of: where the file was replaced behind the
     * store's back, reading fails.
     *
     * @throws java.nio.file.NoSuchFileException when it is not there, or another
     */
    InputStream open(BlobKey key, BlobInfo expected, long from, long length) throws IOException;

    /**
     * The file on this machine's disk, from which the kernel can send it; empty where the store is elsewhere.
     *
     * @throws java.nio.file.NoSuchFileException as {@link #open} does
     */
    default Optional<Path> localFile(BlobKey key, BlobInfo expected) throws IOException {
        return Optional.empty();
    }

    /** Deletes the file, if it is there. */
    void delete(BlobKey key);

    /** Clears away what writes left that broke off before this time. */
    void sweep(Instant before);
}
