package dev.parley.datalake;

import dev.parley.blob.BlobKey;
import dev.parley.settings.Settings;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An object of a bucket or, with a slash at its end, all objects that begin so. A key is taken as it is written, without
 * any decoding; one that a proxy before the store could take for another (by {@code ..}, be it encoded, or by an empty
 * segment) is none.
 */
record S3Uri(String bucket, String key) {
    private static final Pattern FORM = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/(.*)", Pattern.DOTALL);
    private static final Pattern ENCODED = Pattern.compile("%(2[ef]|5c|25)", Pattern.CASE_INSENSITIVE);

    static Optional<S3Uri> parse(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches() && isPlain(parts.group(2))
                ? Optional.of(new S3Uri(parts.group(1), parts.group(2)))
                : Optional.empty();
    }

    /** Whether a key means the same to all that see it. */
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
