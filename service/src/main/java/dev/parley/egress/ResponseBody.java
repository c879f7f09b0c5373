package dev.parley.egress;

import dev.parley.egress.EgressException.EgressFailureKind;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A response's body without its content codings, some of which servers apply unasked. The limit holds for the received
 * bytes and again after each decoding. Decoding starts with the first read, so that a reader that needs only the head
 * never fails by it.
 */
final class ResponseBody extends InputStream {
    private static final int MAX_CODINGS = 4;
    private static final int MAX_SHOWN_LENGTH = 40;
    private static final String BROTLI = "br";

    /** The bytes that may follow the data of all codings. */
    private static final int MAX_TRAILER = 64;

    /** Seen in place of a coding, for bodies that have none. */
    private static final Set<String> NO_CODINGS = Set.of("", "identity", "none", "binary", "8bit", "aws-chunked");

    private final EgressResponse.Head head;
    private final List<String> codings;
    private final LimitedStream received;
    private final long max;
    private final String host;
    private @Nullable InputStream decoded;

    /** The last decoder that was opened: the next one may fail. */
    private InputStream outermost;

    ResponseBody(EgressResponse.Head head, InputStream content, long max, String host) {
        this.head = head;
        this.max = max;
        this.host = host;
        this.received = new LimitedStream(content);
        this.outermost = received;
        this.codings = head.headers().getOrDefault("content-encoding", List.of()).stream()
                .flatMap(value -> Stream.of(value.split(",", -1)))
                .map(coding -> coding.strip().toLowerCase(Locale.ROOT))
                .filter(coding -> !NO_CODINGS.contains(coding) && !isCharset(coding))
                .toList();
    }

    static EgressException tooLarge(String host, long max) {
        return new EgressException(EgressFailureKind.TOO_LARGE, host + " sent more than " + max + " bytes.");
    }

    /** The head that describes the decoded body. */
    EgressResponse.Head decodedHead() {
        if (codings.isEmpty()) {
            return head;
        }
        Map<String, List<String>> headers = new HashMap<>(head.headers());
        headers.keySet().removeAll(Set.of("content-encoding", "content-length"));
        return new EgressResponse.Head(head.status(), headers);
    }

    /** Whether everything was received. */
    boolean isEnded() {
        return received.ended;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            if (decoded == null) {
                decoded = open();
            }
            int read = decoded.read(bytes, offset, length);
            if (read < 0 && !received.ended) {
                received.readNBytes(MAX_TRAILER); // Decoders stop before the end that the connection's reuse needs.
            }
            return read;
        } catch (InterruptedIOException interrupted) {
            throw EgressCall.translate(interrupted, host);
        } catch (IOException failed) {
            throw EgressException.within(failed)
                    .orElseGet(() -> new EgressException(
                            EgressFailureKind.ENCODING, host + " sent a compressed response that is damaged.", failed));
        }
    }

    /** Frees the decoders' memory. The call closes the connection, so that an unread rest is not drained. */
    @Override
    public void close() throws IOException {
        outermost.close();
    }

    private InputStream open() throws IOException {
        if (codings.isEmpty()) {
            return received;
        }
        var content = new PushbackInputStream(received);
        int first = content.read();
        if (first < 0) {
            return content; // An empty body is not a compressed one.
        }
        content.unread(first);
        if (codings.size() > MAX_CODINGS || Collections.frequency(codings, BROTLI) > 1) {
            throw unsupported(String.join(", ", codings));
        }
        outermost = content;
        for (String coding : codings.reversed()) {
            outermost = new LimitedStream(decoder(coding, outermost));
        }
        return outermost;
    }

    private InputStream decoder(String coding, InputStream in) throws IOException {
        return switch (coding) {
            case "gzip", "x-gzip" -> new GZIPInputStream(in);
            case "deflate", "x-deflate" -> inflater(in);
            case BROTLI -> BrotliDecoder.open(in, BrotliDecoder.BUDGET);
            default -> throw unsupported(coding);
        };
    }

    /** The coding is defined as zlib's format, but some servers send the bare data. */
    private static InputStream inflater(InputStream in) throws IOException {
        var start = new PushbackInputStream(in, 2);
        byte[] two = start.readNBytes(2);
        start.unread(two);
        boolean isZlib = two.length == 2 && (two[0] & 0x0F) == 8 && ((two[0] & 0xFF) << 8 | (two[1] & 0xFF)) % 31 == 0;
        return isZlib ? new InflaterInputStream(start) : inflater(start, new Inflater(true));
    }

    /** Closing the stream frees the memory of the inflater. */
    static InputStream inflater(InputStream in, Inflater inflater) {
        return new InflaterInputStream(in, inflater) {
            @Override
            public void close() throws IOException {
                inflater.end();
                super.close();
            }
        };
    }

    private EgressException unsupported(String coding) {
        String shown =
                coding.substring(0, Math.min(coding.length(), MAX_SHOWN_LENGTH)).replaceAll("[^\\x20-\\x7E]", "?");
        return new EgressException(
                EgressFailureKind.ENCODING,
                host + " sent a response with the content coding '" + shown + "', which is not supported.");
    }

    /** Some servers name the charset of a text here. */
    private static boolean isCharset(String coding) {
        try {
            return Charset.isSupported(coding);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Limits the size, and translates failures of the connection. */
    private final class LimitedStream extends FilterInputStream {
        private long count;
        private boolean ended;

        LimitedStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read;
            try {
                read = super.read(bytes, offset, length);
            } catch (IOException failed) {
                throw this == received ? EgressCall.translate(failed, host) : failed;
            }
            if (read < 0) {
                ended = true;
            } else {
                count += read;
                if (count > max) {
                    throw tooLarge(host, max);
                }
            }
            return read;
        }

        @Override
        public long skip(long requested) throws IOException {
            byte[] skipped = new byte[(int) Math.min(Math.max(requested, 0), 8192)];
            int read = skipped.length == 0 ? 0 : read(skipped, 0, skipped.length);
            return Math.max(read, 0);
        }

        /** The decoder of gzip asks this before it looks for a further member. */
        @Override
        public int available() {
            return ended ? 0 : 1;
        }

        @Override
        public void close() throws IOException {
            if (this != received) {
                super.close();
            }
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
