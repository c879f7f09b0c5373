package dev.parley.blob.local;

import org.apache.commons.codec.digest.DigestUtils;

/**
 * The file name on disk for a part of a key: the part itself if it is plain ASCII, else a readable prefix and a hash.
 * Works on every file system and locale, whatever characters a client's file name contains.
 */
final class DiskName {
    private static final int MAX_PLAIN = 200;
    private static final int READABLE = 100;
    private static final int HASH_LENGTH = 32;

    private DiskName() {}

    static String of(String part) {
        if (part.length() <= MAX_PLAIN && part.chars().allMatch(DiskName::isPlain) && !part.startsWith(".")) {
            return part;
        }
        String readable = part.replaceAll("[^A-Za-z0-9._-]", "_");
        // A plain part contains no '+', so it never collides with a hashed one.
        return readable.substring(0, Math.min(READABLE, readable.length())).replaceFirst("^\\.", "_")
                + '+'
                + DigestUtils.sha256Hex(part).substring(0, HASH_LENGTH);
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }
}
