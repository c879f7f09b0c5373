package dev.parley.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares entity tags as {@code If-None-Match} asks for it (RFC 9110, 13.1.2). */
public final class EntityTags {
    private EntityTags() {}

    /** Whether the header names the tag, or any by {@code *}; a weak tag equals a strong one. */
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
