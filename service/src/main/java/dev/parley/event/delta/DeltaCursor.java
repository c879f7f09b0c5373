package dev.parley.event.delta;

import dev.parley.event.delta.LiveText.TextPart;
import dev.parley.http.json.Rfc3339;
import dev.parley.http.json.StrictJson;
import java.time.Instant;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The positions of one subscriber in the texts of its stream. Texts are not queued: a slow subscriber gets the missed
 * part of a text as one delta. Not thread-safe.
 */
public final class DeltaCursor {
    /** Weak, because a text that has ended may still change once. */
    private final Map<LiveText, Position> positions = new WeakHashMap<>();

    /** @param index of the next delta */
    private record Position(int generation, int offset, int index) {
        static final Position SKIPPED = new Position(Integer.MAX_VALUE, 0, 0);
    }

    /** Appends the events of a text's new part. */
    public void appendNext(LiveText text, Instant now, StringBuilder events) {
        Position position = positions.getOrDefault(text, new Position(0, 0, 0));
        if (position.equals(Position.SKIPPED)) {
            return;
        }
        TextPart part = text.since(position.generation, position.offset);
        if (part.generation() != position.generation) {
            if (position.index > 0 && text.isMessage()) {
                append(events, "message.delta_reset", now, text.members());
            }
            position = new Position(part.generation(), 0, 0);
        }
        if (!part.text().isEmpty()) {
            append(
                    events,
                    text.isMessage() ? "message.delta" : "task.delta",
                    now,
                    text.members() + ",\"index\":" + position.index + ",\"text\":" + StrictJson.write(part.text()));
            position = new Position(
                    position.generation, position.offset + part.text().length(), position.index + 1);
        }
        positions.put(text, position);
    }

    /** Without an id, so that a client resumes after the last stored event. */
    private static void append(StringBuilder events, String type, Instant now, String members) {
        events.append("event: ").append(type);
        events.append("\ndata: {\"type\":\"").append(type);
        events.append("\",\"timestamp\":\"").append(Rfc3339.text(now));
        events.append("\",\"data\":{").append(members).append("}}\n\n");
    }

    /** Sends no more of a text that has ended. */
    public void skip(LiveText text) {
        positions.put(text, Position.SKIPPED);
    }
}
