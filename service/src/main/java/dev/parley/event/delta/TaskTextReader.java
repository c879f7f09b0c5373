package dev.parley.event.delta;

import dev.parley.event.EventLog.StreamKey;
import dev.parley.event.delta.LiveText.TextPart;
import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Polls the text of a task, over its attempts, on whatever node they run. Only {@link #close} is thread-safe. */
public final class TaskTextReader implements AutoCloseable {
    /** Without a text here, one may have begun on another node. */
    private static final long REQUEST_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final LiveTexts texts;
    private final StreamKey stream;
    private final String subject;
    private @Nullable LiveText text;
    private int generation;
    private int offset;
    private long requestedAt = System.nanoTime() - REQUEST_INTERVAL_NANOS;

    TaskTextReader(LiveTexts texts, StreamKey stream, String subject) {
        this.texts = texts;
        this.stream = stream;
        this.subject = subject;
    }

    /**
     * Returns what the text has more since the last call.
     *
     * @param onReset called before if the text so far is void
     */
    public String next(Runnable onReset) {
        LiveText latest = texts.of(stream).stream()
                .filter(one -> one.subject().equals(subject))
                .max(Comparator.comparing(LiveText::id))
                .orElse(null);
        if (latest == null && System.nanoTime() - requestedAt >= REQUEST_INTERVAL_NANOS) {
            requestedAt = System.nanoTime();
            texts.request(stream);
        }
        if (latest != null && !latest.equals(text)) {
            text = latest;
            generation = -1;
        }
        if (text == null) {
            return "";
        }
        TextPart part = text.since(generation, offset);
        if (part.generation() != generation) {
            onReset.run();
            generation = part.generation();
            offset = 0;
        }
        offset += part.text().length();
        return part.text();
    }

    @Override
    public void close() {
        texts.closed(stream);
    }
}
