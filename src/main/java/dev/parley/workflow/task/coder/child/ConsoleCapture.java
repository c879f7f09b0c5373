package dev.parley.workflow.task.coder.child;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** What the code writes to its console: the first bytes go to the service as they come, the rest is forgotten. */
final class ConsoleCapture extends OutputStream {
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private final int most;
    private int written;

    ConsoleCapture(int most) {
        this.most = most;
    }

    @Override
    public synchronized void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        int kept = Math.min(length, most - written);
        if (kept > 0) {
            waiting.write(bytes, from, kept);
            written += kept;
            notifyAll();
        }
    }

    /** Forgets what making ready has written. */
    synchronized void clear() {
        waiting.reset();
        written = 0;
    }

    /** Waits until something is there to be taken. */
    synchronized void await() throws InterruptedException {
        while (waiting.size() == 0) {
            wait();
        }
    }

    /** What was written since it was taken last. */
    synchronized byte[] take() {
        byte[] bytes = waiting.toByteArray();
        waiting.reset();
        return bytes;
    }
}
