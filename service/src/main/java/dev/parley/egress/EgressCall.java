package dev.parley.egress;

import dev.parley.egress.EgressException.EgressFailureKind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** One request in progress, on its own thread; {@link #cancel} closes its connection from another thread. */
final class EgressCall<T> implements Callable<T> {
    private static final Pattern FIELD_VALUE = Pattern.compile("[\\t\\x20-\\x7E\\x80-\\xFF]*");

    private static final long MAX_END_MILLIS = 200;

    private static final Set<String> METHODS_WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final CloseableHttpClient http;
    private final EgressRules rules;
    private final EgressRequest request;
    private final BodyReader<T> reader;
    private volatile String host = "The host";
    private volatile @Nullable HttpUriRequestBase sent;
    private volatile boolean cancelled;

    EgressCall(CloseableHttpClient http, EgressRules rules, EgressRequest request, BodyReader<T> reader) {
        this.http = http;
        this.rules = rules;
        this.request = request;
        this.reader = reader;
    }

    /** The host for error messages, once the URL is known to be valid. */
    String host() {
        return host;
    }

    void cancel() {
        cancelled = true;
        HttpUriRequestBase current = sent;
        if (current != null) {
            current.cancel();
        }
    }

    @Override
    public T call() throws IOException {
        EgressUrl url = rules.checked(request.url());
        host = "The host '" + url.host() + "'";
        HttpUriRequestBase message = message(url);
        sent = message;
        if (cancelled) {
            throw new InterruptedIOException();
        }
        ClassicHttpResponse response;
        try {
            response = http.executeOpen(new HttpHost(url.scheme(), url.host(), url.port()), message, null);
        } catch (IOException failed) {
            throw translate(failed, host);
        }
        try {
            return read(response, message);
        } catch (Throwable failed) {
            message.cancel(); // before close(), which would drain the body
            throw failed;
        } finally {
            Closer.closeQuietly(response);
        }
    }

    private T read(ClassicHttpResponse response, HttpUriRequestBase message) throws IOException {
        EgressResponse.Head head = new EgressResponse.Head(response.getCode(), headers(response));
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return reader.read(head, InputStream.nullInputStream());
        }
        if (entity.getContentLength() > request.maxResponseBytes()) {
            throw ResponseBody.tooLarge(host, request.maxResponseBytes());
        }
        try (ResponseBody body = new ResponseBody(head, entity.getContent(), request.maxResponseBytes(), host)) {
            T result = reader.read(body.decodedHead(), body);
            if (!body.isEnded() && (request.maxSilence() == null || !endsSoon(body, message))) {
                message.cancel(); // does not wait for the unread rest
            }
            return result;
        }
    }

    /** A stream's last event precedes the end of its body by moments; the connection is kept if that arrives. */
    private static boolean endsSoon(ResponseBody body, HttpUriRequestBase message) {
        CompletableFuture<Void> limit = CompletableFuture.runAsync(
                message::cancel, CompletableFuture.delayedExecutor(MAX_END_MILLIS, TimeUnit.MILLISECONDS));
        try {
            return body.read() < 0;
        } catch (IOException cut) {
            return false;
        } finally {
            limit.cancel(false);
        }
    }

    private HttpUriRequestBase message(EgressUrl url) throws EgressException {
        if (!EgressRequest.TOKEN.matcher(request.method()).matches()
                || request.method().equalsIgnoreCase("CONNECT")) {
            throw new EgressException(EgressFailureKind.INVALID_REQUEST, "The request method is not supported.");
        }
        HttpUriRequestBase message;
        try {
            message = new HttpUriRequestBase(request.method(), URI.create(url.target()));
        } catch (IllegalArgumentException malformed) {
            throw new EgressException(EgressFailureKind.INVALID_REQUEST, "The URL's path is malformed.", malformed);
        }
        boolean defaultPort = url.port() == (url.scheme().equals("http") ? 80 : 443);
        message.setScheme(url.scheme());
        message.setAuthority(new URIAuthority(url.host(), defaultPort ? -1 : url.port()));
        for (EgressRequest.Header header : request.headers()) {
            message.addHeader(checked(header).name(), header.value());
        }
        if (request.body().bytes().length > 0 || METHODS_WITH_BODY.contains(request.method())) {
            message.setEntity(new ByteArrayEntity(request.body().bytes(), null));
        }
        message.setConfig(RequestConfig.custom()
                .setConnectionRequestTimeout(Timeout.of(request.deadline()))
                .setResponseTimeout(request.maxSilence() == null ? null : Timeout.of(request.maxSilence()))
                .setProtocolUpgradeEnabled(false)
                .build());
        return message;
    }

    private static EgressRequest.Header checked(EgressRequest.Header header) throws EgressException {
        if (!EgressRequest.maySet(header.name())
                || !FIELD_VALUE.matcher(header.value()).matches()) {
            throw new EgressException(
                    EgressFailureKind.INVALID_REQUEST,
                    "The request has a header that is not allowed or has invalid characters.");
        }
        return header;
    }

    private static Map<String, List<String>> headers(ClassicHttpResponse response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (Header header : response.getHeaders()) {
            String value = header.getValue();
            headers.computeIfAbsent(header.getName().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(value == null ? "" : value);
        }
        return headers;
    }

    /** Translates a connection failure; an {@link EgressException} is kept. */
    static EgressException translate(IOException failure, String host) {
        return EgressException.within(failure).orElseGet(() -> switch (failure) {
            case MessageConstraintException e ->
                new EgressException(EgressFailureKind.TOO_LARGE, host + " sent too many or too long headers.", e);
            case InterruptedIOException e ->
                new EgressException(EgressFailureKind.TIMEOUT, host + " did not respond in time.", e);
            case SSLException e
            when isCertificate(e) ->
                new EgressException(EgressFailureKind.TLS, host + " has no trusted certificate.", e);
            default ->
                new EgressException(
                        EgressFailureKind.CONNECTION,
                        "The connection to " + lowerFirst(host) + " failed or was cut.",
                        failure);
        });
    }

    private static boolean isCertificate(SSLException failure) {
        return failure instanceof SSLPeerUnverifiedException
                || (failure instanceof SSLHandshakeException
                        && !(failure.getCause() instanceof EOFException)
                        && !(failure.getCause() instanceof SocketException));
    }

    private static String lowerFirst(String text) {
        return Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
