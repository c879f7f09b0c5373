package dev.parley.media;

import dev.parley.TestClock;
import dev.parley.blob.BlobKey;
import dev.parley.blob.s3.S3Store;
import dev.parley.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;

/** Other spellings of URLs in the test's bucket, and foreign writes to it. */
final class S3Url {
    private S3Url() {}

    static String pathStyle(StoredFile file) {
        return Settings.load().files().s3().endpoint().orElseThrow() + "/" + file.bucket() + "/" + file.path();
    }

    /** Writes a file like a third party with access to the bucket, and returns its URI. */
    static String put(String key, byte[] bytes) throws Exception {
        Path file = Files.createTempFile("stray", ".csv");
        Files.write(file, bytes);
        Settings.Files files = Settings.load().files();
        try (var store = new S3Store(files.s3(), files.bucket().orElseThrow(), new TestClock())) {
            store.put(new BlobKey(key), "text/csv", file);
            return "s3://" + store.bucket() + "/" + key;
        } finally {
            Files.delete(file);
        }
    }
}
