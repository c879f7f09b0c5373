package dev.parley.egress;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A complete answer. */
@SuppressWarnings("ArrayRecordComponent") // a body may be large, and is never compared
public record EgressResponse(Head head, byte[] body) {
    /**
     * What comes before the body.
     *
     * @param headers by lower-case name, each with its values in the order received
     */
    public record Head(int status, Map<String, List<String>> headers) {
        /** The first value of a header, in any case of its name. */
        public Optional<String> header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream()
                    .findFirst();
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
