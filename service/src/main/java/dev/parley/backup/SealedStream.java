package dev.parley.backup;

import dev.parley.db.AeadCipher;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Encryption by a passphrase: a header with a salt, then chunks of AES-256-GCM under a key of PBKDF2. Each chunk is bound
 * to its number, and the last one to being the last, so that chunks cannot be changed, moved, added or left out.
 */
final class SealedStream {
    /** The beginning of an encrypted file. */
    static final byte[] MAGIC = "parley-backup-1\n".getBytes(StandardCharsets.US_ASCII);

    private static final int SALT_BYTES = 16;
    private static final int KEY_BITS = 256;
    private static final int ITERATIONS = 600_000;
    private static final int CHUNK_BYTES = 64 * 1024;

    /** Nonce and tag. */
    private static final int OVERHEAD_BYTES = 28;

    private SealedStream() {}

    private static AeadCipher cipher(String passphrase, byte[] salt) {
        try {
            var spec = new PBEKeySpec(passphrase.toCharArray(), salt, ITERATIONS, KEY_BITS);
            return new AeadCipher(SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String about(long number, boolean isLast) {
        return (isLast ? "last chunk " : "chunk ") + number;
    }

    /** Encrypts what is written to it; {@link #close} writes the last chunk and leaves the other stream open. */
    static final class Sealing extends OutputStream {
        private final OutputStream out;
        private final AeadCipher cipher;
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private int length;
        private long number;

        Sealing(OutputStream out, String passphrase) throws IOException {
            byte[] salt = new byte[SALT_BYTES];
            new SecureRandom().nextBytes(salt);
            this.out = out;
            this.cipher = cipher(passphrase, salt);
            out.write(MAGIC);
            out.write(salt);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            for (int done = 0; done < count; ) {
                if (length == chunk.length) {
                    seal(false);
                }
                int part = Math.min(count - done, chunk.length - length);
                System.arraycopy(bytes, from + done, chunk, length, part);
                length += part;
                done += part;
            }
        }

        private void seal(boolean isLast) throws IOException {
            out.write(cipher.encrypt(Arrays.copyOf(chunk, length), about(number, isLast)));
            number++;
            length = 0;
        }

        @Override
        public void close() throws IOException {
            seal(true);
        }
    }

    /** Decrypts a file; ends only after the last chunk. */
    static final class Opening extends InputStream {
        private final BufferedInputStream in;
        private final AeadCipher cipher;
        private byte[] chunk = new byte[0];
        private int position;
        private long number;
        private boolean isLast;

        /** @param in after {@link #MAGIC} */
        Opening(BufferedInputStream in, String passphrase) throws IOException {
            this.in = in;
            this.cipher = cipher(passphrase, in.readNBytes(SALT_BYTES));
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int from, int count) throws IOException {
            while (position == chunk.length) {
                if (isLast) {
                    return -1;
                }
                open();
            }
            int part = Math.min(count, chunk.length - position);
            System.arraycopy(chunk, position, bytes, from, part);
            position += part;
            return part;
        }

        private void open() throws IOException {
            byte[] sealed = in.readNBytes(CHUNK_BYTES + OVERHEAD_BYTES);
            in.mark(1);
            isLast = in.read() < 0;
            in.reset();
            try {
                chunk = cipher.decryptBytes(sealed, about(number, isLast));
            } catch (IllegalStateException e) {
                if (number == 0) {
                    throw new BackupException("The passphrase is wrong, or the beginning of the backup is damaged.", e);
                }
                throw new IOException("a chunk is damaged or missing", e);
            }
            position = 0;
            number++;
        }
    }
}
