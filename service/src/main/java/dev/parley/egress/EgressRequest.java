package dev.parley.egress;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One outgoing request. Immutable; the {@code with} methods return changed copies.
 *
 * @param deadline for the whole exchange: resolving, connecting, sending, and reading the complete response
 * @param maxResponseBytes the maximum size of the response body
 */
public record EgressRequest(
        String method, String url, List<Header> headers, ByteBody body, Duration deadline, long maxResponseBytes) {
    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);
    public static final long DEFAULT_MAX_RESPONSE_BYTES = 1024 * 1024;

    /** A header as sent. Names that belong to the connection (Host, Content-Length, …) are rejected. */
    public record Header(String name, String value) {
        /** Omits the value, which is often a secret. */
        @Override
        public String toString() {
            return name + ": …";
        }
    }

    /** The request body: nothing, or these bytes. The array is not copied and must not be changed. */
    @SuppressWarnings("ArrayRecordComponent") // a body is large, and never compared
    public record ByteBody(byte[] bytes) {
        public static final ByteBody NONE = new ByteBody(new byte[0]);
    }

    public EgressRequest {
        headers = List.copyOf(headers);
    }

    public static EgressRequest get(String url) {
        return new EgressRequest("GET", url, List.of(), ByteBody.NONE, DEFAULT_DEADLINE, DEFAULT_MAX_RESPONSE_BYTES);
    }

    public static EgressRequest post(String url, String contentType, byte[] body) {
        return new EgressRequest(
                "POST",
                url,
                List.of(new Header("Content-Type", contentType)),
                new ByteBody(body),
                DEFAULT_DEADLINE,
                DEFAULT_MAX_RESPONSE_BYTES);
    }

    public static EgressRequest postJson(String url, String json) {
        return post(url, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    public EgressRequest withMethod(String other) {
        return new EgressRequest(other, url, headers, body, deadline, maxResponseBytes);
    }

    /** Adds a header; existing ones with the same name stay. */
    public EgressRequest withHeader(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new EgressRequest(method, url, more, body, deadline, maxResponseBytes);
    }

    public EgressRequest withBody(byte[] other) {
        return new EgressRequest(method, url, headers, new ByteBody(other), deadline, maxResponseBytes);
    }

    public EgressRequest withDeadline(Duration other) {
        return new EgressRequest(method, url, headers, body, other, maxResponseBytes);
    }

    public EgressRequest withMaxResponseBytes(long other) {
        return new EgressRequest(method, url, headers, body, deadline, other);
    }
}
