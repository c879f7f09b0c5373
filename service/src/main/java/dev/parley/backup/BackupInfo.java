package dev.parley.backup;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The first entry of a backup.
 *
 * @param format of the archive
 * @param release that wrote it
 * @param schema the last migration of the database
 * @param bucket the S3 bucket with the files, which are not in the archive then
 */
record BackupInfo(
        int format,
        String release,
        String schema,
        Instant createdAt,
        @Nullable String bucket) {
    static final int FORMAT = 1;
}
