package dev.parley.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares entity tags for {@code If-None-Match} (RFC 9110, 13.1.2). */
public final class EntityTags {
    private EntityTags() {}

    /** Whether the header matches the tag, or is {@code *}. Uses weak comparison. */
    public static boolean matches(@Nullable String ifNoneMatch, String tag) {
        return ifNoneMatch != null
                && List.of(ifNoneMatch.split(",", -1)).stream()
                        .map(String::strip)
                        .anyMatch(one -> one.equals("*") || opaque(one).equals(opaque(tag)));
    }

    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }
}
