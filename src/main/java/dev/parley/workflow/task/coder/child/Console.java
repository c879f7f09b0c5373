package dev.parley.workflow.task.coder.child;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** What the code writes to its console: the first bytes are kept, the rest is forgotten. */
final class Console extends OutputStream {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final int most;

    Console(int most) {
        this.most = most;
    }

    @Override
    public synchronized void write(int b) {
        if (kept.size() < most) {
            kept.write(b);
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        kept.write(bytes, from, Math.min(length, most - kept.size()));
    }

    /** Forgets what making ready has written. */
    synchronized void clear() {
        kept.reset();
    }

    synchronized byte[] bytes() {
        return kept.toByteArray();
    }
}
