package dev.parley.blob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a signed URL allows: to write this file, of this type and, where it is given, of exactly this size, until then.
 *
 * @param maxBytes the most that a file without a given size may have
 */
public record UploadGrant(
        BlobKey key, String contentType, @Nullable Long size, long maxBytes, Instant expires) {}
