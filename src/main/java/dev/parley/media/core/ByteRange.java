package dev.parley.media.core;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A part of a file, as a {@code Range} header asks for it (RFC 9110, 14): {@code length} bytes from {@code first}. */
public record ByteRange(long first, long length) {
    private static final Pattern SINGLE = Pattern.compile("bytes=\\s*(\\d{0,18})-(\\d{0,18})\\s*");

    /** What a header asks of a file. */
    public sealed interface Wanted {
        /** All of it: there is no header, or one that is to be ignored, such as for several ranges. */
        record Whole() implements Wanted {}

        record Part(ByteRange range) implements Wanted {}

        /** Nothing that the file has: 416. */
        record Unsatisfiable() implements Wanted {}
    }

    /** Reads the header for a file of this size. */
    public static Wanted of(@Nullable String header, long size) {
        return part(header, size).orElseGet(Wanted.Whole::new);
    }

    private static Optional<Wanted> part(@Nullable String header, long size) {
        if (header == null) {
            return Optional.empty();
        }
        Matcher single = SINGLE.matcher(header);
        if (!single.matches() || (single.group(1).isEmpty() && single.group(2).isEmpty())) {
            return Optional.empty();
        }
        long first;
        long last = size - 1;
        if (single.group(1).isEmpty()) {
            first = Math.max(0, size - Long.parseLong(single.group(2)));
        } else {
            first = Long.parseLong(single.group(1));
            if (!single.group(2).isEmpty()) {
                long asked = Long.parseLong(single.group(2));
                if (asked < first) {
                    return Optional.empty();
                }
                last = Math.min(last, asked);
            }
        }
        return Optional.of(
                first > last ? new Wanted.Unsatisfiable() : new Wanted.Part(new ByteRange(first, last - first + 1)));
    }

    /** The value of {@code Content-Range}. */
    public String contentRange(long size) {
        return "bytes " + first + "-" + (first + length - 1) + "/" + size;
    }
}
