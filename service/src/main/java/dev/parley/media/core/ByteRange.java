package dev.parley.media.core;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A range of a file from a {@code Range} header (RFC 9110, 14): {@code length} bytes from {@code first}. */
public record ByteRange(long first, long length) {
    private static final Pattern SINGLE = Pattern.compile("bytes=\\s*(\\d*)-(\\d*)\\s*", Pattern.CASE_INSENSITIVE);

    /** The meaning of a header for a file. */
    public sealed interface RequestedRange {
        /** The whole file: there is no header, or one to be ignored, such as for several ranges. */
        record WholeFile() implements RequestedRange {}

        record RangePart(ByteRange range) implements RequestedRange {}

        /** No part of the file: 416. */
        record Unsatisfiable() implements RequestedRange {}
    }

    /** Parses the header for a file of this size. */
    public static RequestedRange of(@Nullable String header, long size) {
        return part(header, size).orElseGet(RequestedRange.WholeFile::new);
    }

    private static Optional<RequestedRange> part(@Nullable String header, long size) {
        if (header == null) {
            return Optional.empty();
        }
        Matcher single = SINGLE.matcher(header);
        if (!single.matches() || (single.group(1).isEmpty() && single.group(2).isEmpty())) {
            return Optional.empty();
        }
        BigInteger end = BigInteger.valueOf(size - 1);
        BigInteger first;
        BigInteger last = end;
        if (single.group(1).isEmpty()) {
            first = BigInteger.valueOf(size)
                    .subtract(new BigInteger(single.group(2)))
                    .max(BigInteger.ZERO);
        } else {
            first = new BigInteger(single.group(1));
            if (!single.group(2).isEmpty()) {
                BigInteger asked = new BigInteger(single.group(2));
                if (asked.compareTo(first) < 0) {
                    return Optional.empty();
                }
                last = asked.min(end);
            }
        }
        return Optional.of(
                first.compareTo(last) > 0
                        ? new RequestedRange.Unsatisfiable()
                        : new RequestedRange.RangePart(new ByteRange(
                                first.longValueExact(), last.subtract(first).longValueExact() + 1)));
    }

    /** The value of {@code Content-Range}. */
    public String contentRange(long size) {
        return "bytes " + first + "-" + (first + length - 1) + "/" + size;
    }
}
