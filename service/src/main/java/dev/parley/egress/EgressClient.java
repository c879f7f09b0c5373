package dev.parley.egress;

import dev.parley.egress.EgressException.EgressFailureKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The only outgoing HTTP client of the service, without redirects, cookies, proxies and retries. It never asks for a
 * compressed response, and decodes one that arrives all the same. Each new connection resolves the name once and is
 * refused unless {@link EgressRules} allow every address, which prevents DNS rebinding. Deadlines and interruption apply
 * in every phase of a request; by default at most 64 requests per host and 512 in total run concurrently, and others
 * wait within their deadlines.
 */
public final class EgressClient implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 512;
    private static final int MAX_CONNECTIONS_PER_HOST = 64;
    private static final int MAX_STREAMS = 16 * 1024;

    /** In bytes. A stream arrives in small pieces, and thousands may be open. */
    private static final int STREAM_BUFFER = 2048;

    private static final int DEFAULT_BUFFER = 8192;
    private static final int MAX_HEADERS = 200;
    private static final int MAX_HEADER_LENGTH = 16 * 1024;
    private static final Timeout CONNECT_TIMEOUT = Timeout.ofSeconds(10);
    private static final TimeValue CONNECTION_LIFETIME = TimeValue.ofMinutes(1);

    /** How long a cancelled request may take to unwind before the caller continues without it. */
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(2);

    private final EgressRules rules;
    private final CloseableHttpClient http;

    public EgressClient(EgressRules rules) {
        this(rules, SSLContexts.createDefault());
    }

    /**
     * A client for many concurrent requests, with its own connection pool, so that slow hosts do not affect other
     * clients.
     */
    public EgressClient(EgressRules rules, int connectionsPerHost, int connections) {
        this(rules, connections(rules, SSLContexts.createDefault(), connectionsPerHost, connections, DEFAULT_BUFFER));
    }

    /** A client for streams, which stay open for minutes: only the process's file descriptors limit how many. */
    public static EgressClient forStreams(EgressRules rules) {
        return new EgressClient(
                rules, connections(rules, SSLContexts.createDefault(), MAX_STREAMS, MAX_STREAMS, STREAM_BUFFER));
    }

    EgressClient(EgressRules rules, SSLContext tls) {
        this(rules, connections(rules, tls, MAX_CONNECTIONS_PER_HOST, MAX_CONNECTIONS, DEFAULT_BUFFER));
    }

    private EgressClient(EgressRules rules, PoolingHttpClientConnectionManager connections) {
        this.rules = rules;
        this.http = HttpClients.custom()
                .setConnectionManager(connections)
                .disableRedirectHandling()
                .disableCookieManagement()
                .disableAutomaticRetries()
                .disableAuthCaching()
                .disableContentCompression()
                .setUserAgent("Parley")
                .build();
    }

    /** The rules of this client. */
    public EgressRules rules() {
        return rules;
    }

    /**
     * Sends a request and reads the complete response, with any status.
     *
     * @throws EgressException if there is no complete response
     * @throws InterruptedException if the calling thread was interrupted; the request is cancelled
     */
    public EgressResponse execute(EgressRequest request) throws EgressException, InterruptedException {
        try {
            return stream(request, (head, body) -> new EgressResponse(head, body.readAllBytes()));
        } catch (EgressException failed) {
            throw failed;
        } catch (IOException failed) {
            throw EgressCall.translate(failed, "the host");
        }
    }

    /**
     * Sends a request and passes the response to a reader as it arrives; the deadline includes the reader. Does not
     * wait for bytes that the reader leaves unread, but for a moment for the end of a body with a limited silence.
     *
     * @throws EgressException if there is no complete response
     * @throws IOException from the reader
     */
    public <T> T stream(EgressRequest request, BodyReader<T> reader) throws IOException, InterruptedException {
        EgressCall<T> call = new EgressCall<>(http, rules, request, reader);
        FutureTask<T> task = new FutureTask<>(call);
        Thread worker = Thread.ofVirtual().name("egress").start(task);
        try {
            return task.get(Math.max(1, request.deadline().toMillis()), TimeUnit.MILLISECONDS);
        } catch (TimeoutException timedOut) {
            abort(call, worker);
            throw new EgressException(
                    EgressFailureKind.TIMEOUT,
                    call.host() + " did not respond completely within " + seconds(request) + ".");
        } catch (InterruptedException interrupted) {
            abort(call, worker);
            throw interrupted;
        } catch (ExecutionException failed) {
            throw rethrown(failed.getCause());
        }
    }

    @Override
    public void close() {
        http.close(CloseMode.IMMEDIATE);
    }

    /** Closes the connection, and waits until the reader releases its output. */
    private static void abort(EgressCall<?> call, Thread worker) {
        call.cancel();
        worker.interrupt();
        boolean interrupted = Thread.interrupted();
        try {
            worker.join(CANCEL_TIMEOUT);
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static IOException rethrown(@Nullable Throwable cause) {
        return switch (cause) {
            case IOException failed -> failed;
            case RuntimeException bug -> throw bug;
            case Error error -> throw error;
            case null, default -> throw new IllegalStateException(cause);
        };
    }

    private static String seconds(EgressRequest request) {
        return request.deadline().toMillis() / 1000.0 + " s";
    }

    private static PoolingHttpClientConnectionManager connections(
            EgressRules rules, SSLContext tls, int perHost, int all, int buffer) {
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(new GuardedResolver(rules))
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
                .setMaxConnTotal(all)
                .setMaxConnPerRoute(perHost)
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setBufferSize(buffer)
                                .setMaxHeaderCount(MAX_HEADERS)
                                .setMaxLineLength(MAX_HEADER_LENGTH)
                                .build())
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT_TIMEOUT)
                        .setTimeToLive(CONNECTION_LIFETIME)
                        .setValidateAfterInactivity(TimeValue.ofMilliseconds(250))
                        .build())
                .build();
    }

    /** The library's only source of addresses. */
    private record GuardedResolver(EgressRules rules) implements DnsResolver {
        @Override
        public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
            try {
                return rules.resolve(host, port).stream()
                        .map(address -> new InetSocketAddress(address, port))
                        .toList();
            } catch (EgressException refused) {
                throw (UnknownHostException) new UnknownHostException(host).initCause(refused);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw (UnknownHostException) new UnknownHostException(host).initCause(interrupted);
            }
        }

        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            throw new UnknownHostException("A host is resolved together with its port.");
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
