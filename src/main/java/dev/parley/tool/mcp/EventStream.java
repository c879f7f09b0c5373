package dev.parley.tool.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parses server-sent events; only their data is used. The stream's own limit bounds their size. */
final class EventStream {
    /** Receives the data of one event. */
    @FunctionalInterface
    interface SseLineReader {
        /** @return whether to read on */
        boolean take(String data) throws IOException;
    }

    private EventStream() {}

    /** Reads until the stream ends or the reader stops. */
    static void read(InputStream stream, SseLineReader reader) throws IOException {
        InputStream in = new BufferedInputStream(stream);
        var data = new StringBuilder();
        boolean any = false;
        for (String line = line(in); line != null; line = line(in)) {
            if (line.isEmpty()) {
                if (any && !data.isEmpty() && !reader.take(data.toString())) {
                    return;
                }
                data.setLength(0);
                any = false;
            } else if (line.startsWith("data:")) {
                if (any) {
                    data.append('\n');
                }
                data.append(line, line.startsWith("data: ") ? 6 : 5, line.length());
                any = true;
            }
        }
    }

    /** A line without its end (LF, CR LF or CR); null at the end of the stream. */
    private static @Nullable String line(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int b = in.read(); ; b = in.read()) {
            if (b < 0) {
                return bytes.size() == 0 ? null : bytes.toString(StandardCharsets.UTF_8);
            }
            if (b == '\n') {
                return bytes.toString(StandardCharsets.UTF_8);
            }
            if (b == '\r') {
                in.mark(1);
                if (in.read() != '\n') {
                    in.reset();
                }
                return bytes.toString(StandardCharsets.UTF_8);
            }
            bytes.write(b);
        }
    }
}
