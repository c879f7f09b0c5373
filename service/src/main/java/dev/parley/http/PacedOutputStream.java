package dev.parley.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The body of a long response, written by its own thread. The framework's stream blocks only after the event loop has
 * noticed that the client does not read; by then a fast writer is megabytes ahead. So this writer waits until the event
 * loop has handled all but the last {@link #STEP} bytes.
 */
public final class PacedOutputStream extends FilterOutputStream {
    private static final int STEP = 32 * 1024;
    private static final int MAX_WAIT_SECONDS = 60;

    private final Context loop;
    private CountDownLatch handled = new CountDownLatch(0);
    private int sinceStep;

    private PacedOutputStream(OutputStream out, Context loop) {
        super(out);
        this.loop = loop;
    }

    /** Must be called on the thread that writes the response. */
    public static OutputStream of(OutputStream out) {
        return new PacedOutputStream(out, Vertx.currentContext());
    }

    @Override
    public void write(int b) throws IOException {
        catchUp(1);
        out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        for (int done = 0; done < length; ) {
            int step = Math.min(STEP, length - done);
            catchUp(step);
            out.write(bytes, offset + done, step);
            done += step;
        }
    }

    private void catchUp(int more) throws IOException {
        sinceStep += more;
        if (sinceStep <= STEP) {
            return;
        }
        sinceStep = more;
        try {
            if (!handled.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("The event loop does not write.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
        var next = new CountDownLatch(1);
        loop.runOnContext(_ -> next.countDown());
        handled = next;
    }
}
