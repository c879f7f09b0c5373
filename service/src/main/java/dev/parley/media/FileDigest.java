package dev.parley.media;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The result of reading a file once with constant memory: its hash, and the bytes for type detection.
 *
 * @param head its first 64 KiB
 * @param tail its last 64 KiB, where a zip archive has its directory
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FileDigest(long size, String sha256, byte[] head, byte[] tail) {
    static final int SAMPLE = 64 * 1024;

    public static FileDigest of(InputStream file) throws IOException {
        MessageDigest digest = DigestUtils.getSha256Digest();
        byte[] head = file.readNBytes(SAMPLE);
        digest.update(head);
        long size = head.length;
        byte[] tail = head;
        byte[] buffer = new byte[SAMPLE];
        for (int n = file.readNBytes(buffer, 0, SAMPLE); n > 0; n = file.readNBytes(buffer, 0, SAMPLE)) {
            digest.update(buffer, 0, n);
            size += n;
            tail = joined(tail, buffer, n);
        }
        return new FileDigest(size, HexFormat.of().formatHex(digest.digest()), head, tail);
    }

    /** The last bytes of both arrays together. */
    private static byte[] joined(byte[] before, byte[] read, int n) {
        int keep = Math.min(before.length, SAMPLE - n);
        byte[] joined = new byte[keep + n];
        System.arraycopy(before, before.length - keep, joined, 0, keep);
        System.arraycopy(read, 0, joined, keep, n);
        return joined;
    }
}
