package dev.parley.media.core;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The location of a file named by a task or a trigger: {@code s3://bucket/path}, {@code https://bucket.host/path} or
 * {@code https://host/bucket/path}, or any other web URL.
 */
public sealed interface FileUrl {
    /** In an S3-compatible store; the path is decoded. */
    record InBucket(String bucket, String path) implements FileUrl {
        public String uri() {
            return "s3://" + bucket + "/" + path;
        }
    }

    /** On the web: must be downloaded. */
    record OnTheWeb(String url) implements FileUrl {}

    /**
     * Parses a URL; empty if it is none of these.
     *
     * @param hosts of S3-compatible stores other than Amazon's, each with its port if it has one
     */
    static Optional<FileUrl> parse(String text, Set<String> hosts) {
        if (text.startsWith("s3://")) {
            // Not parsed as a URI: the path is used literally.
            int slash = text.indexOf('/', 5);
            return slash < 0 ? Optional.empty() : inBucket(text.substring(5, slash), text.substring(slash + 1));
        }
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (uri.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
            return Optional.empty();
        }
        // A query may be a signature or name a version, so such a URL is downloaded unchanged.
        Optional<FileUrl> known = uri.getRawQuery() == null ? inStore(uri, hosts) : Optional.empty();
        return known.or(() -> Optional.of(new OnTheWeb(text)));
    }

    private static Optional<FileUrl> inStore(URI uri, Set<String> hosts) {
        String host = uri.getHost().toLowerCase(Locale.ROOT) + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
        String path;
        try {
            path = URLDecoder.decode(uri.getRawPath().replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
        String rest = path.startsWith("/") ? path.substring(1) : path;
        Matcher amazon = Rules.AMAZON.matcher(host);
        if (amazon.matches()) {
            String bucket = amazon.group("bucket");
            return bucket == null ? ofPath(rest) : inBucket(bucket, rest);
        }
        for (String store : hosts) {
            if (host.equals(store)) {
                return ofPath(rest);
            }
            if (host.endsWith("." + store)) {
                return inBucket(host.substring(0, host.length() - store.length() - 1), rest);
            }
        }
        return Optional.empty();
    }

    private static Optional<FileUrl> ofPath(String rest) {
        int slash = rest.indexOf('/');
        return slash < 0 ? Optional.empty() : inBucket(rest.substring(0, slash), rest.substring(slash + 1));
    }

    private static Optional<FileUrl> inBucket(String bucket, String path) {
        return Rules.BUCKET.matcher(bucket).matches() && !path.isEmpty()
                ? Optional.of(new InBucket(bucket, path))
                : Optional.empty();
    }

    /** The last path segment, used as the name of an unnamed file; empty if there is none. */
    static Optional<String> name(String url) {
        try {
            String path = url.startsWith("s3://") ? url.substring(5) : new URI(url).getPath();
            return path == null || path.indexOf('/') < 0 ? Optional.empty() : FileName.safe(path);
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /** Helpers that an interface cannot keep private. */
    final class Rules {
        private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
        private static final Pattern AMAZON = Pattern.compile(
                "(?:(?<bucket>[a-z0-9][a-z0-9.-]*[a-z0-9])\\.)?s3(?:[.-](?:dualstack\\.)?[a-z0-9-]+)?\\.amazonaws\\.com(?:\\.cn)?");

        private Rules() {}
    }
}
