package dev.parley.backup;

import dev.parley.db.AeadCipher;
import dev.parley.settings.SettingsException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Function;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Encryption by a passphrase: a header with a salt, then chunks of AES-256-GCM under a key of PBKDF2, each behind its
 * length. A chunk is bound to its number, and the last one, which is empty, to being the last, so that chunks cannot be
 * changed, moved, added or left out.
 */
final class SealedStream {
    /** The beginning of an encrypted file. */
    static final byte[] MAGIC = "parley-backup-1\n".getBytes(StandardCharsets.US_ASCII);

    private static final int SALT_BYTES = 16;
    private static final int KEY_BITS = 256;
    private static final int ITERATIONS = 600_000;
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final int MAX_SEALED_BYTES = 1 << 20;

    /** A nonce and a tag. */
    private static final int EMPTY_BYTES = 28;

    private SealedStream() {}

    static AeadCipher cipher(String passphrase, byte[] salt) {
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

    /** Encrypts what is written to it; closing it writes the last chunk and leaves the file open. */
    static OutputStream sealing(OutputStream file, String passphrase) throws IOException {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        AeadCipher cipher = cipher(passphrase, salt);
        var out = new DataOutputStream(file);
        out.write(MAGIC);
        out.write(salt);
        return new BufferedOutputStream(
                new BlockOutput() {
                    private long number;

                    @Override
                    public void write(byte[] bytes, int from, int count) throws IOException {
                        seal(Arrays.copyOfRange(bytes, from, from + count), false);
                    }

                    @Override
                    public void close() throws IOException {
                        seal(new byte[0], true);
                    }

                    private void seal(byte[] chunk, boolean isLast) throws IOException {
                        byte[] sealed = cipher.encrypt(chunk, about(number, isLast));
                        out.writeInt(sealed.length);
                        out.write(sealed);
                        number++;
                    }
                },
                CHUNK_BYTES);
    }

    /** Receives the blocks of a buffered stream. */
    abstract static class BlockOutput extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public abstract void write(byte[] bytes, int from, int count) throws IOException;
    }

    static InputStream opening(InputStream file, String passphrase) throws IOException {
        return opening(file, salt -> cipher(passphrase, salt));
    }

    /** Decrypts a file behind {@link #MAGIC}; ends only after the last chunk. */
    static InputStream opening(InputStream file, Function<byte[], AeadCipher> ofSalt) throws IOException {
        AeadCipher cipher = ofSalt.apply(file.readNBytes(SALT_BYTES));
        var in = new DataInputStream(file);
        return new InputStream() {
            private InputStream chunk = InputStream.nullInputStream();
            private long number;
            private boolean isLast;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] bytes, int from, int count) throws IOException {
                while (true) {
                    int read = chunk.read(bytes, from, count);
                    if (read >= 0 || isLast) {
                        return read;
                    }
                    open();
                }
            }

            private void open() throws IOException {
                int length = in.readInt();
                boolean isEnd = length == EMPTY_BYTES;
                byte[] sealed = in.readNBytes(Math.clamp(length, 0, MAX_SEALED_BYTES));
                if (isEnd && in.read() >= 0) {
                    throw new IOException("it goes on after its end");
                }
                try {
                    chunk = new ByteArrayInputStream(cipher.decryptBytes(sealed, about(number, isEnd)));
                } catch (IllegalStateException e) {
                    if (number == 0) {
                        throw new SettingsException(
                                "The passphrase is wrong, or the beginning of the backup is damaged.");
                    }
                    throw e;
                }
                // Only now: GZIPInputStream ignores a failure after its end, so the next read must fail again.
                isLast = isEnd;
                number++;
            }
        };
    }
}
