package dev.parley.blob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The permission in a signed URL: to write this file, with this type and, if given, exactly this size, until it
 * expires.
 *
 * @param maxBytes the maximum size of a file without a declared size
 */
public record UploadGrant(
        BlobKey key, String contentType, @Nullable Long size, long maxBytes, Instant expires) {}
