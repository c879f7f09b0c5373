package dev.parley.egress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.egress.EgressException.EgressFailureKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that are compressed although nobody asked for it. */
class ContentCodingTest {
    private static final String TEXT = "{\"name\": \"Grüße\"}".repeat(20);

    /** "hello" by the reference encoder of Brotli. */
    private static final byte[] BROTLI = HexFormat.of().parseHex("0b028068656c6c6f03");

    private final int available = BrotliDecoder.BUDGET.availablePermits();
    private final EgressClient client = new EgressClient(new EgressRules(EgressAllow.parse("127.0.0.0/8")));

    @AfterEach
    void close() {
        client.close();
    }

    private static byte[] encoded(String coding, byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (OutputStream encoder =
                switch (coding) {
                    case "gzip", "x-gzip" -> new GZIPOutputStream(out);
                    case "deflate" -> new DeflaterOutputStream(out);
                    case "br" -> brotli(out);
                    case "raw" -> new DeflaterOutputStream(out, new Deflater(9, true));
                    default -> out;
                }) {
            encoder.write(bytes);
        }
        return out.toByteArray();
    }

    /** Writes uncompressed blocks in a window of 16 MiB. */
    private static OutputStream brotli(ByteArrayOutputStream out) {
        return new ByteArrayOutputStream() {
            @Override
            public void close() {
                int max = 1 << 16;
                for (int at = 0; at < count; at += max) {
                    int length = Math.min(max, count - at);
                    long block = ((length - 1L) << 3) | (1L << 19);
                    long bits = at == 0 ? (block << 4) | 0xF : block;
                    for (int i = 0; i < 3; i++) {
                        out.write((int) (bits >> (8 * i)));
                    }
                    out.write(buf, at, length);
                }
                out.write(3);
            }
        };
    }

    private EgressResponse fetch(String header, byte[] body, boolean chunked) throws Exception {
        try (ScriptedServer server = new ScriptedServer((_, out) -> {
            String framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length;
            out.write(("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + header + "\r\n" + framing + "\r\n\r\n")
                    .getBytes(UTF_8));
            if (chunked) {
                for (byte one : body) {
                    out.write("1\r\n".getBytes(UTF_8));
                    out.write(one);
                    out.write("\r\n".getBytes(UTF_8));
                }
                out.write("0\r\n\r\n".getBytes(UTF_8));
            } else {
                out.write(body);
            }
            out.flush();
        })) {
            client.execute(EgressRequest.get(server.url("/")));
            EgressResponse response = client.execute(EgressRequest.get(server.url("/")));
            assertThat(server.connections()).as("the connection is used again").isEqualTo(1);
            return response;
        }
    }

    private EgressException failure(String header, byte[] body) {
        return catchThrowableOfType(EgressException.class, () -> fetch(header, body, false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            gzip            | gzip
            GZip            | gzip
            x-gzip          | gzip
            deflate         | deflate
            deflate         | raw
            identity        | identity
            ''              | identity
            utf-8           | identity
            none            | identity
            gzip, identity  | gzip
            identity,gzip   | gzip
            deflate, gzip   | deflate,gzip
            gzip, gzip      | gzip,gzip
            br              | br
            gzip, br        | gzip,br
            """)
    void theBodyIsDecoded(String header, String codings) throws Exception {
        byte[] body = TEXT.getBytes(UTF_8);
        for (String coding : codings.split(",", -1)) {
            body = encoded(coding, body);
        }

        for (boolean chunked : new boolean[] {false, true}) {
            EgressResponse response = fetch("Content-Encoding: " + header, body, chunked);

            assertThat(response.text()).isEqualTo(TEXT);
            if (!codings.equals("identity")) {
                assertThat(response.header("Content-Encoding")).isEmpty();
                assertThat(response.header("Content-Length")).isEmpty();
            }
        }
    }

    @Test
    void brotliIsDecoded() throws Exception {
        assertThat(fetch("Content-Encoding: br", BROTLI, false).text()).isEqualTo("hello");
    }

    @Test
    void membersOfGzipFollowEachOther() throws Exception {
        var both = new ByteArrayOutputStream();
        both.write(encoded("gzip", "one ".getBytes(UTF_8)));
        both.write(encoded("gzip", "two".getBytes(UTF_8)));

        assertThat(fetch("Content-Encoding: gzip", both.toByteArray(), true).text())
                .isEqualTo("one two");
    }

    @Test
    void severalHeadersAreOneList() throws Exception {
        byte[] body = encoded("gzip", encoded("deflate", TEXT.getBytes(UTF_8)));

        assertThat(fetch("Content-Encoding: deflate\r\nContent-Encoding: gzip", body, false)
                        .text())
                .isEqualTo(TEXT);
    }

    @Test
    void anEmptyBodyIsNotACompressedOne() throws Exception {
        assertThat(fetch("Content-Encoding: gzip", new byte[0], false).text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br"})
    void damagedDataIsAClearFailure(String coding) throws IOException {
        byte[] whole = coding.equals("br") ? BROTLI : encoded(coding, TEXT.getBytes(UTF_8));

        for (byte[] body : new byte[][] {
            Arrays.copyOf(whole, whole.length - 3), "{\"plain\": true}".getBytes(UTF_8), new byte[] {0x1F}
        }) {
            EgressException failed = failure("Content-Encoding: " + coding, body);

            assertThat(failed.kind()).isEqualTo(EgressFailureKind.ENCODING);
            assertThat(failed.detail()).contains("127.0.0.1", "damaged");
            assertThat(failed.isTransient()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "compress", "gzip, exi", "gzip,gzip,gzip,gzip,gzip", "br, br"})
    void anUnknownCodingIsNamed(String coding) throws IOException {
        EgressException failed = failure("Content-Encoding: " + coding, encoded("gzip", TEXT.getBytes(UTF_8)));

        assertThat(failed.kind()).isEqualTo(EgressFailureKind.ENCODING);
        assertThat(failed.detail()).contains("content coding '", "not supported");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "deflate,gzip", "gzip,br"})
    void theLimitHoldsAfterDecoding(String codings) throws IOException {
        byte[] body = new byte[50 * 1024 * 1024];
        for (String coding : codings.split(",", -1)) {
            body = encoded(coding, body);
        }

        assertThat(failure("Content-Encoding: " + codings, body).kind()).isEqualTo(EgressFailureKind.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br"})
    void failuresBelowTheDecoderKeepTheirKind(String coding) throws Exception {
        byte[] noise = new byte[200_000];
        new Random(7).nextBytes(noise);
        byte[] body = encoded(coding, noise);
        for (boolean cut : new boolean[] {false, true}) {
            try (ScriptedServer server = new ScriptedServer((_, out) -> {
                out.write(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: " + coding + "\r\n\r\n"
                                + Integer.toHexString(body.length) + "\r\n")
                        .getBytes(UTF_8));
                out.write(body, 0, body.length / (cut ? 2 : 1));
                out.flush();
                throw new IOException("cut");
            })) {
                EgressRequest request =
                        EgressRequest.get(server.url("/")).withMaxResponseBytes(cut ? noise.length * 2L : 100_000);
                assertThat(catchThrowableOfType(EgressException.class, () -> client.execute(request))
                                .kind())
                        .isEqualTo(cut ? EgressFailureKind.CONNECTION : EgressFailureKind.TOO_LARGE);
            }
        }
        assertThat(BrotliDecoder.BUDGET.availablePermits()).isEqualTo(available);
    }

    @Test
    void largeWindowsOfBrotliWaitForTheBudget() throws Exception {
        var budget = new Semaphore(BrotliDecoder.MAX_MIB + 8);
        InputStream small = BrotliDecoder.open(new ByteArrayInputStream(BROTLI), budget);
        InputStream large = BrotliDecoder.open(new ByteArrayInputStream(encoded("br", new byte[9])), budget);
        assertThat(budget.availablePermits()).isZero();

        var decoded = new CompletableFuture<byte[]>();
        Thread.ofVirtual().start(() -> {
            try (InputStream waiting = BrotliDecoder.open(new ByteArrayInputStream(BROTLI), budget)) {
                decoded.complete(waiting.readAllBytes());
            } catch (IOException failed) {
                decoded.completeExceptionally(failed);
            }
        });
        assertThat(large.readAllBytes()).hasSize(9);
        assertThat(decoded).isNotDone();
        large.close();
        large.close();

        assertThat(decoded.get(2, TimeUnit.MINUTES)).asString().isEqualTo("hello");
        small.close();
        assertThat(budget.tryAcquire(BrotliDecoder.MAX_MIB + 8, 2, TimeUnit.MINUTES))
                .isTrue();
    }

    @Test
    void closingFreesTheMemoryOfAnInflater() throws Exception {
        var inflater = new Inflater(true);
        try (InputStream in = ResponseBody.inflater(new ByteArrayInputStream(encoded("raw", new byte[9])), inflater)) {
            assertThat(in.readAllBytes()).hasSize(9);
        }
        assertThatThrownBy(inflater::getBytesRead).hasMessageContaining("closed");
    }

    @Test
    void aReaderOfTheHeadNeedsNoReadableBody() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer(ScriptedServer.answering(200, "text/plain", "plain", "Content-Encoding: zstd"))) {
            int status = client.stream(EgressRequest.get(server.url("/")), (head, _) -> head.status());

            assertThat(status).isEqualTo(200);
        }
    }
}
