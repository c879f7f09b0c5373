package dev.parley.blob.local;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A request's body for a virtual thread that reads it while it arrives on the event loop. Buffers about one mebibyte;
 * beyond that, the connection is paused until the reader has caught up.
 */
final class RequestBody extends InputStream {
    private static final int MAX_BUFFERED_BYTES = 1 << 20;
    private static final int RESUME_BELOW_BYTES = MAX_BUFFERED_BYTES / 4;

    private final HttpServerRequest request;
    private final Context loop;
    private final LinkedBlockingQueue<Optional<Buffer>> arrived = new LinkedBlockingQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean paused = new AtomicBoolean();
    private volatile @Nullable Throwable broken;
    private volatile boolean discarding;
    private volatile boolean isComplete;
    private @Nullable Runnable atEnd;
    private Buffer current = Buffer.buffer();
    private int position;
    private boolean ended;

    /** Starts reading the request; must be called on its event loop. */
    RequestBody(HttpServerRequest request, Context loop) {
        this.request = request;
        this.loop = loop;
        request.exceptionHandler(this::fail);
        request.handler(this::take);
        request.endHandler(_ -> end());
        request.resume();
    }

    private void take(Buffer buffer) {
        if (discarding || buffer.length() == 0) {
            return;
        }
        arrived.add(Optional.of(buffer));
        if (waiting.addAndGet(buffer.length()) > MAX_BUFFERED_BYTES && paused.compareAndSet(false, true)) {
            request.pause();
            // The reader may have caught up in between and would not signal it again.
            if (waiting.get() < RESUME_BELOW_BYTES && paused.compareAndSet(true, false)) {
                request.resume();
            }
        }
    }

    private void end() {
        isComplete = true;
        arrived.add(Optional.empty());
        if (atEnd != null) {
            atEnd.run();
        }
    }

    private void fail(Throwable failure) {
        broken = failure;
        arrived.add(Optional.empty());
    }

    /** Drops the rest and runs the action when the client has sent everything; on the event loop. */
    void discard(Runnable then) {
        discarding = true;
        if (isComplete) {
            then.run();
        } else {
            atEnd = then;
            request.resume();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (position == current.length() && !next()) {
            Throwable failure = broken;
            if (failure != null) {
                throw new IOException("the connection was lost", failure);
            }
            return -1;
        }
        int n = Math.min(length, current.length() - position);
        current.getBytes(position, position + n, target, offset);
        position += n;
        return n;
    }

    /** Advances to the next buffer; false at the end. */
    private boolean next() throws IOException {
        if (ended) {
            return false;
        }
        try {
            Optional<Buffer> chunk = arrived.take();
            if (chunk.isEmpty()) {
                ended = true;
                return false;
            }
            current = chunk.get();
            position = 0;
            if (waiting.addAndGet(-current.length()) < RESUME_BELOW_BYTES && paused.compareAndSet(true, false)) {
                loop.runOnContext(_ -> request.resume());
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
