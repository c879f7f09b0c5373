package dev.parley.datalake;

import dev.parley.blob.BlobKey;
import dev.parley.settings.Settings;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An object of a bucket or, with a trailing slash, all objects with that prefix. The key is used literally, without
 * decoding; a key that a proxy could interpret differently (with {@code ..}, even encoded, or an empty segment) is
 * invalid.
 */
record S3Uri(String bucket, String key) {
    private static final Pattern PATTERN =
            Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/(.*)", Pattern.DOTALL);
    private static final Pattern ENCODED = Pattern.compile("%(2[ef]|5c|25)", Pattern.CASE_INSENSITIVE);

    static Optional<S3Uri> parse(String text) {
        Matcher parts = PATTERN.matcher(text);
        return parts.matches() && isPlain(parts.group(2))
                ? Optional.of(new S3Uri(parts.group(1), parts.group(2)))
                : Optional.empty();
    }

    /** Whether everything interprets a key in the same way. */
    static boolean isPlain(String key) {
        String name = key.endsWith("/") ? key.substring(0, key.length() - 1) : key;
        return key.isEmpty() || (BlobKey.isValid(name) && !ENCODED.matcher(name).find());
    }

    boolean isPrefix() {
        return key.isEmpty() || key.endsWith("/");
    }

    boolean isUnder(Settings.LakePrefix allowed) {
        return bucket.equals(allowed.bucket()) && key.startsWith(allowed.prefix());
    }
}
