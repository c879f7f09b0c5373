package dev.parley.webhook.run;

import dev.parley.egress.BodyReader;
import dev.parley.egress.EgressResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Captures a receiver's response. The head counts as soon as it arrives: a receiver that returns 200 and then stalls
 * has accepted the webhook. The body has a short time limit; up to 64 KiB are read, so that the connection can be
 * reused, and the first KiB is kept.
 */
final class ResponseCapture implements BodyReader<Boolean> {
    /** Long for a body, but shorter than the threshold for a slow receiver, because it blocks the queue. */
    static final Duration BODY_TIMEOUT = Duration.ofMillis(500);

    private static final int RECORDED_BYTES = 1024;
    private static final int READ_BYTES = 64 * 1024;

    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    private volatile EgressResponse.@Nullable Head head;

    /** Null until it arrives. */
    EgressResponse.@Nullable Head head() {
        return head;
    }

    /** The kept part of the body. */
    String body() {
        synchronized (recorded) {
            return recorded.toString(StandardCharsets.UTF_8).replace('\0', '\uFFFD');
        }
    }

    /** True if the body was read to its end or limit; otherwise the connection is closed, which ends the reader. */
    @Override
    public Boolean read(EgressResponse.Head receivedHead, InputStream body) throws IOException {
        head = receivedHead;
        Thread reader = Thread.ofVirtual().name("webhook-body").start(() -> listen(body));
        try {
            return reader.join(BODY_TIMEOUT);
        } catch (InterruptedException _) {
            throw new InterruptedIOException();
        }
    }

    private void listen(InputStream body) {
        byte[] bytes = new byte[4096];
        int read = 0;
        try {
            for (int more = body.read(bytes); more >= 0 && read < READ_BYTES; more = body.read(bytes)) {
                record(bytes, more);
                read += more;
            }
        } catch (IOException _) {
            // Aborted by the receiver or by this service: what arrived is kept.
        }
    }

    private void record(byte[] bytes, int length) {
        synchronized (recorded) {
            recorded.write(bytes, 0, Math.min(length, RECORDED_BYTES - recorded.size()));
        }
    }
}
