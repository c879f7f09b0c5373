package dev.parley.trace;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A context as it is stored: lines with the W3C {@code traceparent} and {@code tracestate}, which may be empty. A part
 * of a run also has the lines of the span that ends with it: its parent's id, its start in milliseconds, and the
 * context of the part before, which may be empty.
 */
record TraceText(List<String> lines) {
    static final String PARENT = "traceparent";
    static final String STATE = "tracestate";

    private static final int PART_LINES = 5;
    private static final int TRACE_ID = 3;
    private static final int SPAN_ID = 36;
    private static final int END = 52;

    static TraceText of(String stored) {
        return new TraceText(List.of(stored.split("\n", -1)));
    }

    static String of(Map<String, String> headers) {
        return headers.getOrDefault(PARENT, "") + "\n" + headers.getOrDefault(STATE, "");
    }

    /** The context of a part of a run that is a child of this one. */
    String part(String newSpanId, Instant start, @Nullable String before) {
        String parent = lines.getFirst();
        return String.join(
                "\n",
                parent.substring(0, SPAN_ID) + newSpanId + parent.substring(END),
                lines.get(1),
                spanId(),
                Long.toString(start.toEpochMilli()),
                before == null ? "" : of(before).lines.getFirst());
    }

    Map<String, String> headers() {
        Map<String, String> headers = new HashMap<>();
        headers.put(PARENT, lines.getFirst());
        if (lines.size() > 1 && !lines.get(1).isEmpty()) {
            headers.put(STATE, lines.get(1));
        }
        return headers;
    }

    boolean isPart() {
        return lines.size() == PART_LINES;
    }

    String traceId() {
        return lines.getFirst().substring(TRACE_ID, SPAN_ID - 1);
    }

    String spanId() {
        return lines.getFirst().substring(SPAN_ID, END);
    }

    /** The parent of the part's span, as stored contexts are. */
    String parent() {
        String own = lines.getFirst();
        return own.substring(0, SPAN_ID) + lines.get(2) + own.substring(END) + "\n" + lines.get(1);
    }

    Instant start() {
        return Instant.ofEpochMilli(Long.parseLong(lines.get(3)));
    }

    @Nullable
    String before() {
        return lines.get(4).isEmpty() ? null : lines.get(4);
    }
}
