package dev.parley.media.core;

import dev.parley.http.core.SingleLineText;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** File names: the original name made safe, and the stored name. */
public final class FileName {
    /** The maximum length of a safe name in bytes of UTF-8. */
    public static final int MAX_BYTES = 180;

    private static final int MAX_EXTENSION_LENGTH = 12;
    private static final int PREFIX_LENGTH = 16;
    private static final DateTimeFormatter PREFIX =
            DateTimeFormatter.ofPattern("uuuuMMdd_HHmmss_", Locale.ROOT).withZone(ZoneOffset.UTC);

    private FileName() {}

    /**
     * The base name without control characters and bidirectional overrides, truncated to {@link #MAX_BYTES}; empty if
     * nothing is left. A safe name is unchanged.
     */
    public static Optional<String> safe(String original) {
        return safe(original, MAX_BYTES);
    }

    /** Same for a stored name, which also contains its time. */
    public static Optional<String> safeStored(String stored) {
        return safe(stored, MAX_BYTES + PREFIX_LENGTH);
    }

    private static Optional<String> safe(String original, int maxBytes) {
        String base = original.substring(Math.max(original.lastIndexOf('/'), original.lastIndexOf('\\')) + 1);
        String clean = SingleLineText.within(base)
                .codePoints()
                .filter(FileName::isHarmless)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString()
                .strip();
        String truncate = truncate(clean, maxBytes).strip();
        return truncate.chars().allMatch(c -> c == '.') ? Optional.empty() : Optional.of(truncate);
    }

    /** {@code YYYYMMDD_HHMMSS_} in UTC, and the safe name. */
    public static String stored(Instant at, String safe) {
        return PREFIX.format(at) + safe;
    }

    /** The time in a stored name. */
    public static Optional<Instant> second(String stored) {
        try {
            return Optional.of(Instant.from(PREFIX.parse(stored.substring(0, PREFIX_LENGTH))));
        } catch (DateTimeException | IndexOutOfBoundsException _) {
            return Optional.empty();
        }
    }

    private static boolean isHarmless(int c) {
        return Character.getType(c) != Character.SURROGATE && c != 0xFEFF && c != 0x061C && c != 0x200E && c != 0x200F;
    }

    /** Truncates before the extension, between characters. */
    private static String truncate(String name, int maxBytes) {
        if (bytes(name) <= maxBytes) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        String extension = dot > 0 && bytes(name.substring(dot)) <= MAX_EXTENSION_LENGTH ? name.substring(dot) : "";
        int room = maxBytes - bytes(extension);
        var result = new StringBuilder();
        int used = 0;
        for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
            int c = name.codePointAt(i);
            used += bytes(Character.toString(c));
            if (used > room) {
                break;
            }
            result.appendCodePoint(c);
        }
        return result.append(extension).toString();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
