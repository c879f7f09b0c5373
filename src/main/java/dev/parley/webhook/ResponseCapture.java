package dev.parley.webhook;

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
 * What a receiver says. The head is there as soon as it came, whatever becomes of the body: a receiver that answers 200
 * and then stalls or cuts its body has taken the webhook. The body gets a moment; of it 64 KiB are read, so that the
 * connection can be used again, and the first KiB is kept.
 */
final class ResponseCapture implements BodyReader<Boolean> {
    /** Long for a body, and shorter than what makes a receiver a slow one: it holds up its lane for as long. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    private static final int KEPT_BYTES = 1024;
    private static final int READ_BYTES = 64 * 1024;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private volatile EgressResponse.@Nullable Head head;

    /** Null until there is one. */
    EgressResponse.@Nullable Head head() {
        return head;
    }

    /** What is kept of the body. */
    String body() {
        synchronized (kept) {
            return kept.toString(StandardCharsets.UTF_8).replace('\0', '\uFFFD');
        }
    }

    /** True when the body was read as far as it is wanted; otherwise its connection is closed, which ends its reader. */
    @Override
    public Boolean read(EgressResponse.Head answered, InputStream body) throws IOException {
        head = answered;
        Thread reader = Thread.ofVirtual().name("webhook-body").start(() -> listen(body));
        try {
            return reader.join(PATIENCE);
        } catch (InterruptedException _) {
            throw new InterruptedIOException();
        }
    }

    private void listen(InputStream body) {
        byte[] bytes = new byte[4096];
        int read = 0;
        try {
            for (int more = body.read(bytes); more >= 0 && read < READ_BYTES; more = body.read(bytes)) {
                keep(bytes, more);
                read += more;
            }
        } catch (IOException _) {
            // Cut, by the receiver or by us: what came is kept.
        }
    }

    private void keep(byte[] bytes, int length) {
        synchronized (kept) {
            kept.write(bytes, 0, Math.min(length, KEPT_BYTES - kept.size()));
        }
    }
}
