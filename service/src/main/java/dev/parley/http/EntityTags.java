package dev.parley.http;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares entity tags weakly, and without what proxies add when they compress (docs/decisions/0133). */
public final class EntityTags {
    /** One tag in quotes; Apache, Jetty and others append the content coding, mostly within the quotes. */
    static final String TAG = "(?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\"(?:(?:--?|;)(?:gzip|br|zstd|deflate))?";

    private static final Pattern ADDED = Pattern.compile("^W/|(?:--?|;)(?:gzip|br|zstd|deflate)(?=\"?$)");

    private EntityTags() {}

    /** Whether an {@code If-None-Match} header matches the tag, or is {@code *}. */
    public static boolean matches(@Nullable String ifNoneMatch, String tag) {
        return ifNoneMatch != null
                && List.of(ifNoneMatch.split(",", -1)).stream()
                        .map(String::strip)
                        .anyMatch(one -> one.equals("*") || opaque(one).equals(opaque(tag)));
    }

    /** The tag as the service made it, except that a weak one becomes strong. */
    static String opaque(String tag) {
        return ADDED.matcher(tag).replaceAll("");
    }
}
