package dev.parley.http.filter;

import dev.parley.http.LargeBody;
import dev.parley.http.RequestValidator;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.json.StrictJson;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyReader;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;
import org.jspecify.annotations.Nullable;

/** Parses request bodies into records with {@link StrictJson}. */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public final class JsonBodyReader implements ServerMessageBodyReader<Object> {
    /** The maximum size of a JSON body: 1 MiB. */
    public static final int MAX_BODY = 1 << 20;

    /** The maximum size of a body with an OpenAPI description of 16 MiB, whose text JSON escapes. */
    public static final int MAX_LARGE_BODY =
            (int) Math.min(20 << 20, Runtime.getRuntime().maxMemory() / 14);

    /** Of a body of more than {@link #MAX_BODY}. Each takes up to 150 bytes in memory. */
    private static final int MAX_PARTS = 50_000;

    /** The routes whose bodies may be large; the records that they read are marked {@link LargeBody}. */
    private static final Pattern LARGE = Pattern.compile(
            "/(?:dashboard|developer)/api/(?:.*/)?tool-providers(?:/[^/]+)?|/v1/(?:chat/completions|responses)");

    /** The maximum size of a body on this path. */
    static int maxBody(String path) {
        return LARGE.matcher(path).matches() ? MAX_LARGE_BODY : MAX_BODY;
    }

    @Override
    public boolean isReadable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo resource, MediaType mediaType) {
        return isReadable(type, genericType, new Annotation[0], mediaType);
    }

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type.isRecord() || Map.class.isAssignableFrom(type);
    }

    @Override
    public Object readFrom(Class<Object> type, Type genericType, MediaType mediaType, ServerRequestContext context)
            throws IOException {
        return read(context.getInputStream(), context.getRequestHeaders()::getHeaderString, type);
    }

    /** Reads a body with all common checks. */
    static <T> T read(InputStream body, Function<String, @Nullable String> header, Class<T> type) throws IOException {
        String coding = header.apply("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ApiProblem.of(ProblemKind.UNSUPPORTED_MEDIA_TYPE, "The body must not be compressed.");
        }
        byte[] bytes = bytes(body, length(header.apply("Content-Length")), maxBody(type));
        if (bytes.length > 0 && !saysJson(header.apply("Content-Type"))) {
            throw ProblemResponse.ofStatus(415);
        }
        if (bytes.length > 0 && !isUtf8(header.apply("Content-Type"))) {
            throw ApiProblem.of(ProblemKind.UNSUPPORTED_MEDIA_TYPE, "The body must be UTF-8.");
        }
        if (bytes.length > MAX_BODY && StrictJson.parts(bytes.length, i -> bytes[i]) > MAX_PARTS) {
            throw ApiProblem.of(
                    ProblemKind.PAYLOAD_TOO_LARGE, "The body has too many values: send a large document as a text.");
        }
        var mismatches = new ArrayList<Violation>();
        T value = StrictJson.read(bytes, type, mismatches);
        if (!mismatches.isEmpty()) {
            RequestValidator.keep(mismatches);
        }
        if (!type.isAnnotationPresent(FurtherChecks.class)) {
            RequestValidator.of(value).done();
        }
        return value;
    }

    @Override
    public Object readFrom(
            Class<Object> type,
            Type genericType,
            Annotation[] annotations,
            MediaType mediaType,
            MultivaluedMap<String, String> headers,
            InputStream body)
            throws IOException {
        return StrictJson.read(bytes(body, -1, maxBody(type)), type);
    }

    /** The declared length, or -1 if absent or invalid. */
    private static int length(@Nullable String header) {
        return header != null && header.length() <= 8 && header.chars().allMatch(c -> c >= '0' && c <= '9')
                ? Integer.parseInt(header)
                : -1;
    }

    /** Whether the type is concrete JSON: JAX-RS accepts an absent type, and one with {@code *}, for any resource. */
    private static boolean saysJson(@Nullable String contentType) {
        return contentType != null && !contentType.isBlank() && contentType.indexOf('*') < 0;
    }

    /** Whether the type declares no charset, or UTF-8. */
    private static boolean isUtf8(@Nullable String contentType) {
        if (contentType == null || contentType.indexOf(';') < 0) {
            return true;
        }
        String charset = MediaType.valueOf(contentType).getParameters().get(MediaType.CHARSET_PARAMETER);
        return charset == null || charset.equalsIgnoreCase("utf-8") || charset.equalsIgnoreCase("utf8");
    }

    private static int maxBody(Class<?> type) {
        return type.isAnnotationPresent(LargeBody.class) ? MAX_LARGE_BODY : MAX_BODY;
    }

    private static byte[] bytes(InputStream body, int length, int max) throws IOException {
        // Reading exactly the declared length avoids the buffers for a stream of unknown length.
        byte[] bytes = body.readNBytes(length >= 0 && length <= max ? length : max + 1);
        if (bytes.length > max) {
            throw tooLarge(max);
        }
        return bytes;
    }

    static ApiProblem tooLarge(int max) {
        return ApiProblem.of(ProblemKind.PAYLOAD_TOO_LARGE, "The body is larger than " + (max >> 20) + " MiB.");
    }
}
