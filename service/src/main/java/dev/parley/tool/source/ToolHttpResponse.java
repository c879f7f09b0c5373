package dev.parley.tool.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.http.json.StrictJson;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Interprets a web API's response for a tool: 429, 5xx and time-outs are transient. */
public final class ToolHttpResponse {
    /** The maximum size of a response body, in bytes. */
    public static final long MAX_BYTES = 4L * 1024 * 1024;

    /** Of keys that occur twice the last value counts. Numbers keep every digit. */
    public static final ObjectMapper LENIENT_JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(StrictJson.MAX_DEPTH)
                            .maxNumberLength(1_000)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final int EXCERPT = 300;
    private static final Pattern BINARY =
            Pattern.compile("(?:image|audio|video)/|application/(?:pdf|zip|octet-stream)");
    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([A-Za-z0-9_.:-]{1,40})");

    private ToolHttpResponse() {}

    /** Sends a request and returns the response; one whose status is not 2xx is a failure. */
    public static EgressResponse send(
            EgressClient egress, EgressRequest request, ToolCredentials credentials, Clock clock)
            throws ToolFailure, InterruptedException {
        EgressResponse response;
        try {
            response = egress.execute(request);
        } catch (EgressException failed) {
            throw ToolFailure.of(failed);
        }
        if (!response.head().isSuccess()) {
            throw failure(response, credentials, clock);
        }
        return response;
    }

    /** The failure that a response is whose status is not 2xx, with its message. */
    public static ToolFailure failure(EgressResponse response, ToolCredentials credentials, Clock clock) {
        int status = response.status();
        String title = "Tool error " + status;
        String excerpt = excerpt(response, credentials);
        String detail = "The tool's server returned " + status + (excerpt.isEmpty() ? "." : ": " + excerpt);
        if (isTransientStatus(status)) {
            return ToolFailure.transientFailure(
                    title, detail, response.head().retryAfter(clock.instant()).orElse(null));
        }
        return ToolFailure.permanent(
                title,
                status >= 300 && status < 400
                        ? "The tool's server returned " + status + ", and redirects are not followed."
                        : detail);
    }

    public static boolean isTransientStatus(int status) {
        return status == 408 || status == 425 || status == 429 || status >= 500;
    }

    /** The body as text, if its type or its bytes indicate text. */
    public static Optional<String> text(EgressResponse response) {
        if (BINARY.matcher(contentType(response)).lookingAt()) {
            return Optional.empty();
        }
        try {
            String text = charset(response)
                    .newDecoder()
                    .decode(ByteBuffer.wrap(response.body()))
                    .toString();
            return text.indexOf('\0') < 0 ? Optional.of(text) : Optional.empty();
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    /** The text as a JSON value; null if it is not JSON. */
    public static @Nullable Object json(String text) {
        String start = text.stripLeading();
        if (start.isEmpty() || "{[\"-0123456789tfn".indexOf(start.charAt(0)) < 0) {
            return null;
        }
        try {
            return StrictJson.readTrusted(text, Object.class);
        } catch (UncheckedIOException _) {
            return null;
        }
    }

    /** Type and subtype, in lower case. */
    public static String contentType(EgressResponse response) {
        String type = response.header("Content-Type").orElse("text/plain");
        return type.replaceFirst(";.*", "").strip().toLowerCase(Locale.ROOT);
    }

    private static String excerpt(EgressResponse response, ToolCredentials credentials) {
        String text = text(response).orElse("").strip();
        return SchemaTree.shortened(credentials.redact(text).replace('\n', ' '), EXCERPT);
    }

    private static Charset charset(EgressResponse response) {
        Matcher named = CHARSET.matcher(response.header("Content-Type").orElse(""));
        try {
            return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
            return StandardCharsets.UTF_8;
        }
    }
}
