package dev.parley.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;

/**
 * A document that is the same for all clients, compressed once. All responses share one buffer, however many clients
 * download it slowly. The rarely requested plain form is decompressed on demand and shared while in use.
 */
public final class StaticFile {
    private static final int TAG_LENGTH = 24;

    private final String type;
    private final String tag;
    private final byte[] packed;
    private SoftReference<byte[]> plain = new SoftReference<>(null);

    public StaticFile(byte[] content, String type) {
        this.type = type;
        this.tag = tag(content);
        this.packed = pack(content);
    }

    public String type() {
        return type;
    }

    /** The uncompressed content. */
    public synchronized byte[] plain() {
        byte[] known = plain.get();
        if (known == null) {
            known = unpack(packed);
            plain = new SoftReference<>(known);
        }
        return known;
    }

    /** Answers a GET or HEAD with the file, or with 304 if the client has it. Keeps headers that are already set. */
    public void send(RoutingContext request, String cacheControl) {
        HttpServerResponse response = request.response();
        response.putHeader(HttpHeaders.CACHE_CONTROL, cacheControl)
                .putHeader(HttpHeaders.ETAG, tag)
                .putHeader(HttpHeaders.VARY, "Accept-Encoding");
        if (EntityTags.matches(request.request().getHeader(HttpHeaders.IF_NONE_MATCH), tag)) {
            response.setStatusCode(304).end();
            return;
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, type);
        boolean compressed = acceptsGzip(request.request().getHeader(HttpHeaders.ACCEPT_ENCODING));
        if (compressed) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        byte[] body = compressed ? packed : plain();
        // Vert.x omits Content-Length from the response to a HEAD.
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length))
                .end(shared(body));
    }

    /** Read-only, so that the connection does not count the bytes as its own memory. */
    @SuppressWarnings("deprecation") // Vert.x 5 has the same method elsewhere.
    private static Buffer shared(byte[] bytes) {
        return Buffer.buffer(Unpooled.wrappedBuffer(bytes).asReadOnly());
    }

    /** Whether the codings include gzip or {@code *} with a weight above 0 (RFC 9110, 12.5.3). */
    static boolean acceptsGzip(@Nullable String codings) {
        if (codings == null) {
            return false;
        }
        boolean any = false;
        for (String one : codings.split(",", -1)) {
            String[] parts = one.split(";", 2);
            String coding = parts[0].strip();
            boolean requested = parts.length == 1 || !parts[1].strip().matches("[qQ]\\s*=\\s*0(\\.0*)?");
            if (coding.equalsIgnoreCase("gzip")) {
                return requested;
            }
            any |= coding.equals("*") && requested;
        }
        return any;
    }

    private static byte[] pack(byte[] content) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    private static byte[] unpack(byte[] packed) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Weak, because it identifies both the compressed and the plain form. */
    private static String tag(byte[] content) {
        return "W/\"" + DigestUtils.sha256Hex(content).substring(0, TAG_LENGTH) + '"';
    }
}
