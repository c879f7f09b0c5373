package dev.parley.event.sse;

import dev.parley.event.Event;
import dev.parley.event.EventLog.StreamKey;
import dev.parley.event.delta.DeltaCursor;
import dev.parley.event.delta.LiveText;
import dev.parley.event.sse.SseBroker.SseStream;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One subscriber of a live stream. It occupies no thread and buffers no events: when its stream grows, it reads a page,
 * writes it on the connection's event loop, and continues when the connection has accepted it.
 */
final class SseSubscriber {
    private static final Logger LOG = Logger.getLogger(SseSubscriber.class);

    private static final int BATCH_CHARACTERS = 16 * 1024;

    /** The first piece of a text is sent at once; further ones are gathered for this long. */
    private static final long GATHER_MILLIS = 40;

    /**
     * A page of encoded events.
     *
     * @param position of the last of them
     * @param isLast whether the stream ends after them
     */
    private record EncodedEvents(Buffer bytes, long position, boolean isLast) {}

    final SseStream stream;
    private final SseBroker broker;
    private final Context loop;
    private final HttpServerResponse response;
    private final AtomicBoolean reading = new AtomicBoolean();
    private final Set<LiveText> changedTexts = Collections.synchronizedSet(new LinkedHashSet<>());
    private final AtomicBoolean writingTexts = new AtomicBoolean();
    private final DeltaCursor deltas = new DeltaCursor();
    private long textsWrittenAt = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(GATHER_MILLIS);
    private volatile boolean grown = true;
    private volatile boolean closed;
    private volatile long position;
    private volatile Instant writtenAt;
    private volatile @Nullable Instant fullSince;

    SseSubscriber(
            SseBroker broker, SseStream stream, Context loop, HttpServerResponse response, long position, Instant now) {
        this.broker = broker;
        this.stream = stream;
        this.loop = loop;
        this.response = response;
        this.position = position;
        this.writtenAt = now;
    }

    StreamKey key() {
        return stream.key();
    }

    /** Sends the response head; runs on the event loop. */
    void begin() {
        response.closeHandler(_ -> disconnected());
        response.exceptionHandler(_ -> disconnected());
        response.drainHandler(_ -> {
            fullSince = null;
            wake();
            writeTexts();
        });
        head(response);
        response.write(": connected\n\n");
        wake();
    }

    static void head(HttpServerResponse response) {
        response.setChunked(true);
        response.putHeader("Content-Type", "text/event-stream");
        response.putHeader("X-Accel-Buffering", "no");
    }

    /** The stream may have grown. */
    void wake() {
        grown = true;
        if (!closed && fullSince == null && reading.compareAndSet(false, true)) {
            Thread.ofVirtual().name("sse-subscriber").start(this::read);
        }
    }

    /** A text of the stream has changed. */
    void onChange(LiveText text) {
        if (stream.instance() == null || stream.instance().equals(text.source().instance())) {
            changedTexts.add(text);
            if (writingTexts.compareAndSet(false, true)) {
                loop.runOnContext(_ -> writeTextsSoon());
            }
        }
    }

    private void writeTextsSoon() {
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - textsWrittenAt);
        if (passed >= GATHER_MILLIS) {
            writingTexts.set(false);
            writeTexts();
        } else {
            loop.owner().setTimer(GATHER_MILLIS - passed, _ -> {
                writingTexts.set(false);
                writeTexts();
            });
        }
    }

    /** Writes what is new in the texts; after the connection is full, the rest follows later, as one delta for each. */
    private void writeTexts() {
        List<LiveText> changed;
        synchronized (changedTexts) {
            changed = List.copyOf(changedTexts);
            changedTexts.clear();
        }
        for (LiveText text : changed) {
            if (closed || (fullSince != null && text.isComplete())) {
                deltas.skip(text); // The event of the stored reply has all of it.
            } else if (fullSince != null) {
                changedTexts.add(text);
            } else {
                var events = new StringBuilder();
                deltas.appendNext(text, broker.now(), events);
                if (!events.isEmpty()) {
                    response.write(encode(events));
                    textsWrittenAt = System.nanoTime();
                    written();
                }
            }
        }
    }

    private void written() {
        writtenAt = broker.now();
        if (!closed && response.writeQueueFull()) {
            fullSince = writtenAt;
        }
    }

    private void read() {
        broker.acquirePage();
        grown = false;
        List<EncodedEvents> batches;
        try {
            batches = batches(broker.read(stream, position));
        } catch (RuntimeException e) {
            broker.releasePage();
            LOG.debugf("A live stream is read again soon: %s", e.getMessage());
            grown = true;
            reading.set(false); // The next periodic check wakes it.
            return;
        }
        if (batches.isEmpty()) {
            broker.releasePage();
            reading.set(false);
            if (grown) {
                wake();
            }
            return;
        }
        loop.runOnContext(_ -> {
            // The connection holds from now on what it accepts.
            broker.releasePage();
            write(batches);
        });
    }

    /** Encodes the events on this thread, because the event loop serves other connections. */
    private List<EncodedEvents> batches(List<Event> events) {
        List<EncodedEvents> batches = new ArrayList<>();
        var text = new StringBuilder(2 * BATCH_CHARACTERS);
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            text.append("id: ").append(event.id());
            text.append("\nevent: ").append(event.type().text());
            text.append("\ndata: ");
            event.appendPayload(text);
            text.append("\n\n");
            boolean last = stream.isLast().test(event);
            if (last || text.length() >= BATCH_CHARACTERS || i + 1 == events.size()) {
                batches.add(new EncodedEvents(encode(text), event.sequence(), last));
                text.setLength(0);
            }
            if (last) {
                break;
            }
        }
        return batches;
    }

    /** Without spare capacity, since a slow reader may hold it for long. */
    private static Buffer encode(StringBuilder text) {
        return Buffer.buffer(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Writes as much as the connection accepts; the rest is read again later. */
    private void write(List<EncodedEvents> batches) {
        writeTexts(); // The rest of a text precedes the event of the stored reply.
        for (EncodedEvents batch : batches) {
            if (closed || response.writeQueueFull()) {
                break;
            }
            response.write(batch.bytes);
            position = batch.position;
            if (batch.isLast) {
                end();
            }
        }
        written();
        reading.set(false);
        // There may be more events; wakes again until a read finds none.
        wake();
    }

    /** Periodic check: sends a comment on an idle stream, and ends the stream of a client that does not read. */
    void check(Instant now) {
        if (grown) {
            wake();
        }
        Instant full = fullSince;
        if (full != null) {
            if (full.plus(SseBroker.READ_TIMEOUT).isBefore(now)) {
                loop.runOnContext(_ -> {
                    disconnected();
                    response.reset();
                });
            }
        } else if (!writtenAt.plus(SseBroker.HEARTBEAT).isAfter(now)) {
            writtenAt = now;
            loop.runOnContext(_ -> {
                if (!closed) {
                    response.write(": heartbeat\n\n");
                    if (response.writeQueueFull()) {
                        fullSince = now;
                    }
                }
            });
        }
    }

    /** Ends the stream cleanly; callable from any thread. */
    void close() {
        loop.runOnContext(_ -> end());
    }

    private void end() {
        if (!closed) {
            disconnected();
            var _ = response.end();
        }
    }

    private void disconnected() {
        if (!closed) {
            closed = true;
            broker.remove(this);
        }
    }
}
