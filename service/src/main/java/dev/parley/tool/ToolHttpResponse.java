package dev.parley.tool;

import dev.parley.egress.EgressResponse;
import dev.parley.http.StrictJson;
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

    private static final int EXCERPT = 300;
    private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([A-Za-z0-9_.:-]{1,40})");

    private ToolHttpResponse() {}

    /** Fails unless the status is 2xx, with the message of the response. */
    public static void requireSuccess(EgressResponse response, ToolCredentials credentials, Clock clock)
            throws ToolFailure {
        int status = response.status();
        if (response.head().isSuccess()) {
            return;
        }
        String excerpt = excerpt(response, credentials);
        String detail = "The tool's server returned " + status + (excerpt.isEmpty() ? "." : ": " + excerpt);
        if (isTransientStatus(status)) {
            throw ToolFailure.transientFailure(
                    "Tool error " + status,
                    detail,
                    response.head().retryAfter(clock.instant()).orElse(null));
        }
        if (status >= 300 && status < 400) {
            detail = "The tool's server returned " + status + ", and redirects are not followed.";
        }
        throw ToolFailure.permanent("Tool error " + status, detail);
    }

    public static boolean isTransientStatus(int status) {
        return status == 408 || status == 425 || status == 429 || status >= 500;
    }

    /** The body as text, if its type or its bytes indicate text. */
    public static Optional<String> text(EgressResponse response) {
        String type = contentType(response);
        boolean binary = type.startsWith("image/")
                || type.startsWith("audio/")
                || type.startsWith("video/")
                || type.startsWith("application/pdf")
                || type.startsWith("application/zip")
                || type.startsWith("application/octet-stream");
        if (binary) {
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
