package dev.parley.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses server-sent events as their bytes arrive, with a small buffer. Never waits for a byte after an event's end. */
public final class ServerSentEvents {
    private static final int BUFFER = 1024;

    private final InputStream in;
    private final long maxBytes;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int end;
    private boolean afterReturn;

    /**
     * An event. A last one without the blank line that should end it counts too.
     *
     * @param data its lines, each with its end; empty if the event has none
     * @param id null if the event has none or lacks its blank line
     * @param retryMillis the delay before the next connection; null if there is none
     */
    public record ServerSentEvent(
            String data, @Nullable String id, @Nullable Long retryMillis) {}

    /** @param maxBytes the size of one event */
    public ServerSentEvents(InputStream in, long maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The next event; empty at the end of the stream. */
    public Optional<ServerSentEvent> next() throws IOException {
        var data = new StringBuilder();
        String id = null;
        Long retry = null;
        long size = 0;
        for (String line = line(maxBytes); line != null; line = line(maxBytes - size)) {
            if (line.startsWith("\uFEFF")) {
                line = line.substring(1);
            }
            if (line.isEmpty()) {
                return Optional.of(new ServerSentEvent(data.toString(), id, retry));
            }
            size += line.length();
            int colon = line.indexOf(':');
            String value = colon < 0 ? "" : line.substring(line.startsWith(": ", colon) ? colon + 2 : colon + 1);
            switch (colon < 0 ? line : line.substring(0, colon)) {
                case "data" -> data.append(value).append('\n');
                case "id" -> id = value.indexOf('\0') < 0 ? value : id;
                case "retry" -> retry = value.matches("[0-9]{1,9}") ? Long.valueOf(value) : retry;
                default -> {
                    // A comment, or a field that is not needed.
                }
            }
        }
        return data.isEmpty() && retry == null
                ? Optional.empty()
                : Optional.of(new ServerSentEvent(data.toString(), null, retry));
    }

    /** A line without its end (LF, CR LF or CR); null at the end of the stream. */
    private @Nullable String line(long max) throws IOException {
        var bytes = new ByteArrayOutputStream(0);
        for (int b = read(); b >= 0; b = read()) {
            boolean isSecondEnd = afterReturn && b == '\n';
            afterReturn = b == '\r';
            if (b == '\r' || (b == '\n' && !isSecondEnd)) {
                return bytes.toString(StandardCharsets.UTF_8);
            }
            if (!isSecondEnd) {
                bytes.write(b);
            }
            if (bytes.size() > max) {
                throw EgressException.tooLarge(maxBytes);
            }
        }
        return bytes.size() == 0 ? null : bytes.toString(StandardCharsets.UTF_8);
    }

    private int read() throws IOException {
        if (position == end) {
            end = in.read(buffer, 0, buffer.length);
            position = 0;
            if (end <= 0) {
                end = 0;
                return -1;
            }
        }
        return buffer[position++] & 0xFF;
    }
}
