package dev.parley.egress;

import dev.parley.trace.Tracing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One outgoing request. Immutable; the {@code with} methods return changed copies.
 *
 * @param deadline for the whole exchange: resolving, connecting, sending, and reading the complete response
 * @param maxSilence until the response begins, and between its bytes; null for the deadline alone
 * @param maxResponseBytes the maximum size of the response body
 */
public record EgressRequest(
        String method,
        String url,
        List<Header> headers,
        ByteBody body,
        Duration deadline,
        @Nullable Duration maxSilence,
        long maxResponseBytes) {
    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);
    public static final long DEFAULT_MAX_RESPONSE_BYTES = 1024 * 1024;

    static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

    /**
     * Headers that frame the message or belong to the connection. A caller that could set them could smuggle a second
     * request.
     */
    private static final Set<String> CONNECTION_HEADERS = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "upgrade",
            "te",
            "trailer",
            "expect",
            "proxy-authorization",
            "proxy-connection");

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

    /** Whether a caller may set a header of this name. */
    public static boolean maySet(String header) {
        return TOKEN.matcher(header).matches() && !CONNECTION_HEADERS.contains(header.toLowerCase(Locale.ROOT));
    }

    public static EgressRequest get(String url) {
        return new EgressRequest(
                "GET", url, List.of(), ByteBody.NONE, DEFAULT_DEADLINE, null, DEFAULT_MAX_RESPONSE_BYTES);
    }

    public static EgressRequest post(String url, String contentType, byte[] body) {
        return new EgressRequest(
                "POST",
                url,
                List.of(new Header("Content-Type", contentType)),
                new ByteBody(body),
                DEFAULT_DEADLINE,
                null,
                DEFAULT_MAX_RESPONSE_BYTES);
    }

    public static EgressRequest postJson(String url, String json) {
        return post(url, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    public EgressRequest withMethod(String other) {
        return new EgressRequest(other, url, headers, body, deadline, maxSilence, maxResponseBytes);
    }

    /** Adds a header; existing ones with the same name stay. */
    public EgressRequest withHeader(String name, String value) {
        return withHeaders(List.of(new Header(name, value)));
    }

    public EgressRequest withHeaders(List<Header> added) {
        List<Header> more = new ArrayList<>(headers);
        more.addAll(added);
        return new EgressRequest(method, url, more, body, deadline, maxSilence, maxResponseBytes);
    }

    /** Adds the context of the current span, if there is one. Only for servers that an organization has configured. */
    public EgressRequest withTraceContext() {
        Map<String, String> context = Tracing.current().headers();
        if (context.isEmpty()) {
            return this;
        }
        List<Header> added = new ArrayList<>();
        context.forEach((name, value) -> added.add(new Header(name, value)));
        return withHeaders(added);
    }

    public EgressRequest withBody(byte[] other) {
        return new EgressRequest(method, url, headers, new ByteBody(other), deadline, maxSilence, maxResponseBytes);
    }

    public EgressRequest withDeadline(Duration other) {
        return new EgressRequest(method, url, headers, body, other, maxSilence, maxResponseBytes);
    }

    /** Limits how long the server may send nothing; at least a millisecond. */
    public EgressRequest withMaxSilence(Duration other) {
        return new EgressRequest(method, url, headers, body, deadline, other, maxResponseBytes);
    }

    public EgressRequest withMaxResponseBytes(long other) {
        return new EgressRequest(method, url, headers, body, deadline, maxSilence, other);
    }
}
