package dev.parley.tool.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server-sent events of one request, which may arrive over several streams. A last event without the blank line
 * that should end it counts too. The streams' own limits bound the sizes.
 */
final class EventStream {
    private static final Duration DEFAULT_RETRY = Duration.ofSeconds(1);
    private static final Duration MIN_RETRY = Duration.ofMillis(100);

    private @Nullable String lastId;
    private Duration retry = DEFAULT_RETRY;
    private boolean afterReturn;

    /** Receives the data of one event. */
    @FunctionalInterface
    interface EventReader {
        /** @return whether to read on */
        boolean take(String data) throws IOException;
    }

    /** The id to resume after; empty if the server sent none. */
    Optional<String> lastId() {
        return Optional.ofNullable(lastId).filter(id -> !id.isEmpty());
    }

    /** How long to wait before resuming. */
    Duration retry() {
        return retry;
    }

    /** Reads until the stream ends or the reader stops. */
    void read(InputStream stream, EventReader reader) throws IOException {
        InputStream in = new BufferedInputStream(stream);
        afterReturn = false;
        var data = new StringBuilder();
        String id = null;
        boolean first = true;
        for (String line = line(in); line != null; line = line(in)) {
            if (first && line.startsWith("\uFEFF")) {
                line = line.substring(1);
            }
            first = false;
            if (line.isEmpty()) {
                lastId = id == null ? lastId : id;
                if (!take(data, reader)) {
                    return;
                }
                id = null;
                continue;
            }
            int colon = line.indexOf(':');
            String value = colon < 0 ? "" : line.substring(line.startsWith(": ", colon) ? colon + 2 : colon + 1);
            switch (colon < 0 ? line : line.substring(0, colon)) {
                case "data" -> data.append(value).append('\n');
                case "id" -> id = value.indexOf('\0') < 0 ? value : id;
                case "retry" -> retry = value.matches("[0-9]{1,9}") ? retry(Long.parseLong(value)) : retry;
                default -> {
                    // A comment, or a field that is not needed.
                }
            }
        }
        var _ = take(data, reader);
    }

    private static Duration retry(long millis) {
        return millis < MIN_RETRY.toMillis() ? MIN_RETRY : Duration.ofMillis(millis);
    }

    private static boolean take(StringBuilder data, EventReader reader) throws IOException {
        String text = data.toString();
        data.setLength(0);
        return text.isBlank() || reader.take(text);
    }

    /** A line without its end (LF, CR LF or CR); null at the end of the stream. Never waits for a byte after the end. */
    private @Nullable String line(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            boolean isSecondEnd = afterReturn && b == '\n';
            afterReturn = b == '\r';
            if (b == '\r' || (b == '\n' && !isSecondEnd)) {
                return bytes.toString(StandardCharsets.UTF_8);
            }
            if (!isSecondEnd) {
                bytes.write(b);
            }
        }
        return bytes.size() == 0 ? null : bytes.toString(StandardCharsets.UTF_8);
    }
}
