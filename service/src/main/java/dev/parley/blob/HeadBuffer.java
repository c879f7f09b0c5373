package dev.parley.blob;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Keeps the first bytes of a stream, up to a given number. */
public final class HeadBuffer extends FilterInputStream {
    private long left;

    public HeadBuffer(InputStream whole, long length) {
        super(whole);
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        int b = left > 0 ? super.read() : -1;
        if (b >= 0) {
            left--;
        }
        return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (left <= 0) {
            return -1;
        }
        int n = super.read(buffer, offset, (int) Math.min(length, left));
        if (n > 0) {
            left -= n;
        }
        return n;
    }

    @Override
    public long skip(long n) throws IOException {
        long skipped = super.skip(Math.min(n, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
