package dev.parley.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.db.AeadCipher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SealedStreamTest {
    private static final int HEADER_BYTES = SealedStream.MAGIC.length;

    /** Deriving one takes seconds. */
    private final Map<Integer, AeadCipher> ciphers = new HashMap<>();

    private final byte[] content = new byte[200_000];
    private final byte[] sealed;

    SealedStreamTest() throws IOException {
        new Random(1).nextBytes(content);
        var file = new ByteArrayOutputStream();
        try (var out = SealedStream.sealing(file, "a passphrase")) {
            out.write(content);
        }
        sealed = file.toByteArray();
    }

    private byte[] opened(byte[] file) throws IOException {
        var in = new ByteArrayInputStream(file, HEADER_BYTES, file.length);
        try (var out = SealedStream.opening(
                in,
                salt -> ciphers.computeIfAbsent(
                        Arrays.hashCode(salt), _ -> SealedStream.cipher("a passphrase", salt)))) {
            return out.readAllBytes();
        }
    }

    @Test
    void whatWasSealedIsOpened() throws Exception {
        assertThat(opened(sealed)).isEqualTo(content);
        assertThat(sealed).hasSizeBetween(content.length, content.length + 400);
    }

    /** Both ends and a sample of the rest. */
    @Test
    @Tag("all")
    void aFlippedBitIsFound() {
        for (int i = 0; i < 600; i++) {
            // Behind the salt, but for one flip in it: another salt is another key.
            int at = i == 0
                    ? HEADER_BYTES
                    : i < 100 ? HEADER_BYTES + 15 + i : i < 200 ? sealed.length - i + 99 : i * 330;
            byte[] damaged = sealed.clone();
            damaged[at] ^= (byte) (1 << i % 8);
            assertThatThrownBy(() -> opened(damaged)).as("byte %d", at).isInstanceOf(Exception.class);
        }
    }

    @Test
    void aTruncatedOrContinuedFileIsFound() {
        for (int length = sealed.length - 1;
                length > HEADER_BYTES + 16;
                length -= length > sealed.length - 100 ? 1 : 997) {
            byte[] truncated = Arrays.copyOf(sealed, length);
            assertThatThrownBy(() -> opened(truncated)).as("%d bytes", length).isInstanceOf(Exception.class);
        }
        assertThatThrownBy(() -> opened(Arrays.copyOf(sealed, sealed.length + 1)))
                .hasMessage("it goes on after its end");
    }
}
