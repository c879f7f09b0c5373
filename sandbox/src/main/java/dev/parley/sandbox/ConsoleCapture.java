package dev.parley.sandbox;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** Captures the code's console: sends the first bytes to the service as they are written, and discards the rest. */
final class ConsoleCapture extends OutputStream {
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private int max;
    private int written;

    ConsoleCapture(int max) {
        this.max = max;
    }

    @Override
    public synchronized void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        int kept = Math.min(length, max - written);
        if (kept < length) {
            while (kept > 0 && (bytes[from + kept] & 0xC0) == 0x80) {
                kept--; // The rest of a character would be unreadable.
            }
            max = written + kept;
        }
        if (kept > 0) {
            waiting.write(bytes, from, kept);
            written += kept;
            notifyAll();
        }
    }

    /** Discards the output of warming up. */
    synchronized void clear() {
        waiting.reset();
        written = 0;
    }

    /** Waits until there is output. */
    synchronized void await() throws InterruptedException {
        while (waiting.size() == 0) {
            wait();
        }
    }

    /** Returns the output since the last call. */
    synchronized byte[] take() {
        byte[] bytes = waiting.toByteArray();
        waiting.reset();
        return bytes;
    }
}
