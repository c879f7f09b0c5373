package dev.parley.egress;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PushbackInputStream;
import java.util.concurrent.Semaphore;
import org.brotli.dec.BrotliInputStream;

/**
 * Decodes Brotli. A few bytes may declare a window of 16 MiB, which is allocated at once, so that all decoders share a
 * budget of the heap. Further ones wait within the deadlines of their requests.
 */
final class BrotliDecoder extends FilterInputStream {
    /** The tables of a decoder. */
    private static final int TABLES_MIB = 4;

    static final int MAX_MIB = 16 + TABLES_MIB;

    /** The MiB of all decoders together. */
    static final Semaphore BUDGET =
            new Semaphore((int) Math.max(MAX_MIB, (Runtime.getRuntime().maxMemory() >> 20) / 8), true);

    private final Semaphore budget;
    private int heldMib;

    private BrotliDecoder(InputStream decoder, Semaphore budget, int heldMib) {
        super(decoder);
        this.budget = budget;
        this.heldMib = heldMib;
    }

    static BrotliDecoder open(InputStream in, Semaphore budget) throws IOException {
        var start = new PushbackInputStream(in);
        int header = start.read();
        int mib = mib(header);
        if (header >= 0) {
            start.unread(header);
        }
        try {
            budget.acquire(mib);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        try {
            return new BrotliDecoder(new BrotliInputStream(start), budget, mib);
        } catch (IOException | RuntimeException failed) {
            budget.release(mib);
            throw failed;
        }
    }

    /** By the window that the first byte declares (RFC 7932, 9.1): 1 MiB and more needs bit 0 and a code in bits 1 to 3. */
    private static int mib(int header) {
        int code = header < 0 || (header & 1) == 0 ? 0 : (header >> 1) & 7;
        return TABLES_MIB + ((1 << (17 + code)) >> 20);
    }

    @Override
    public void close() throws IOException {
        budget.release(heldMib);
        heldMib = 0;
        super.close();
    }
}
