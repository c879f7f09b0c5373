package dev.parley.egress;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A complete response. */
@SuppressWarnings("ArrayRecordComponent") // a body may be large, and is never compared
public record EgressResponse(Head head, byte[] body) {
    /**
     * The status and headers.
     *
     * @param headers by lower-case name, each with its values in the order received
     */
    public record Head(int status, Map<String, List<String>> headers) {
        /** The first value of a header; the name is case-insensitive. */
        public Optional<String> header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream()
                    .findFirst();
        }

        /** The value of {@code Retry-After}, in seconds or as a date; never negative, empty if absent or malformed. */
        public Optional<Duration> retryAfter(Instant now) {
            return header("Retry-After").flatMap(value -> retryAfter(value.strip(), now));
        }

        private static Optional<Duration> retryAfter(String value, Instant now) {
            if (value.matches("[0-9]{1,9}")) {
                return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
            }
            try {
                Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value));
                return Optional.of(until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO);
            } catch (DateTimeException malformed) {
                return Optional.empty();
            }
        }

        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }
    }

    public int status() {
        return head.status();
    }

    public Optional<String> header(String name) {
        return head.header(name);
    }

    /** The body as UTF-8; malformed bytes become U+FFFD. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
