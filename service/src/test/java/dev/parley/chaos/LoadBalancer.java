package dev.parley.chaos;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reverse proxy that passes each request once, to the next backend that was ready at the last check: by HTTP/1.1, or
 * by HTTP/2 without TLS, where both sides send at the same time. It repeats nothing: a request that no backend answers
 * gets 502, and the requests of a backend that answers no checks are reset.
 */
final class LoadBalancer implements AutoCloseable {
    private static final int CHECK_INTERVAL_MILLIS = 200;
    private static final int CHECK_TIMEOUT_MILLIS = 1_000;

    /** A busy machine delays single responses. */
    private static final int CHECKS_UNTIL_DOWN = 2;

    private static final int MAX_CONNECTIONS = 1_000;
    private static final int HTTP2_WINDOW_BYTES = 4 << 20;
    private static final int BAD_GATEWAY = 502;

    /** Apply to one connection; HTTP/2 has none of them. */
    private static final List<CharSequence> HOP_BY_HOP =
            List.of(HttpHeaders.CONNECTION, HttpHeaders.KEEP_ALIVE, HttpHeaders.TRANSFER_ENCODING, HttpHeaders.HOST);

    private final Vertx vertx = Vertx.vertx();
    private final HttpVersion version;
    private final HttpClient client;
    private final HttpServer server;
    private final List<Backend> backends = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final ExecutorService checks = Executors.newVirtualThreadPerTaskExecutor();

    private static final class Backend {
        private final String name;
        private final int port;
        private final URI health;
        private final Set<HttpClientRequest> open = ConcurrentHashMap.newKeySet();
        private volatile boolean isReady;

        Backend(String name, int port, URI health) {
            this.name = name;
            this.port = port;
            this.health = health;
        }
    }

    /** @param version that it uses to the backends */
    LoadBalancer(HttpVersion version) {
        this.version = version;
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setProtocolVersion(version)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2ConnectionWindowSize(HTTP2_WINDOW_BYTES)
                .setMaxPoolSize(MAX_CONNECTIONS)
                .setDecompressionSupported(false));
        var options = new HttpServerOptions().setHost("127.0.0.1").setPort(0);
        options.setHttp2ConnectionWindowSize(HTTP2_WINDOW_BYTES)
                .getInitialSettings()
                .setMaxConcurrentStreams(Integer.MAX_VALUE);
        this.server = vertx.createHttpServer(options)
                .requestHandler(this::pass)
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    /** @param health the address that returns 200 while the backend accepts requests */
    void add(String name, int port, URI health) {
        var backend = new Backend(name, port, health);
        backends.add(backend);
        checks.execute(() -> check(backend));
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.actualPort() + path);
    }

    boolean passesTo(String name) {
        return backends.stream().anyMatch(backend -> backend.name.equals(name) && backend.isReady);
    }

    private static void check(Backend backend) {
        int failures = 0;
        try {
            while (true) {
                try {
                    backend.isReady = status(backend.health) == 200;
                    failures = 0;
                } catch (IOException _) {
                    if (++failures >= CHECKS_UNTIL_DOWN) {
                        backend.isReady = false;
                        backend.open.forEach(HttpClientRequest::reset);
                    }
                }
                ChaosClient.pause(CHECK_INTERVAL_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static int status(URI uri) throws IOException {
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(CHECK_TIMEOUT_MILLIS);
        connection.setReadTimeout(CHECK_TIMEOUT_MILLIS);
        return connection.getResponseCode();
    }

    private void pass(HttpServerRequest request) {
        List<Backend> ready =
                backends.stream().filter(backend -> backend.isReady).toList();
        if (ready.isEmpty()) {
            refuse(request);
            return;
        }
        Backend backend = ready.get(Math.floorMod(turn.getAndIncrement(), ready.size()));
        request.pause();
        client.request(new RequestOptions()
                        .setHost("127.0.0.1")
                        .setPort(backend.port)
                        .setMethod(request.method())
                        .setURI(request.uri()))
                .onSuccess(passed -> pass(request, passed, backend))
                .onFailure(_ -> refuse(request));
    }

    private static void refuse(HttpServerRequest request) {
        request.resume();
        if (!request.response().headWritten()) {
            request.response().setStatusCode(BAD_GATEWAY).end();
        }
    }

    private void pass(HttpServerRequest request, HttpClientRequest passed, Backend backend) {
        backend.open.add(passed);
        HttpServerResponse response = request.response();
        // The caller closed its connection or reset its request.
        response.exceptionHandler(_ -> passed.reset()).closeHandler(_ -> passed.reset());
        request.headers().forEach((name, value) -> {
            if (HOP_BY_HOP.stream().noneMatch(header -> header.toString().equalsIgnoreCase(name))) {
                passed.putHeader(name, value);
            }
        });
        if (!request.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
            passed.setChunked(true);
        }
        // The failure of the response says the same; without a handler it is logged.
        passed.exceptionHandler(_ -> {});
        passed.response()
                .onSuccess(answer -> answer(request, answer, passed, backend))
                .onFailure(failure -> {
                    backend.open.remove(passed);
                    fail(request, failure);
                });
        var _ = passed.sendHead()
                .compose(_ -> request.pipe().endOnFailure(false).to(passed))
                .onFailure(_ -> passed.reset());
    }

    private void answer(
            HttpServerRequest request, HttpClientResponse answer, HttpClientRequest passed, Backend backend) {
        HttpServerResponse response = request.response();
        response.setStatusCode(answer.statusCode());
        answer.headers().forEach((name, value) -> {
            if (HOP_BY_HOP.stream().noneMatch(header -> header.toString().equalsIgnoreCase(name))) {
                response.putHeader(name, value);
            }
        });
        if (!answer.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
            response.setChunked(true);
        }
        if (version == HttpVersion.HTTP_2) {
            // The caller may send the rest of its request only after it has this.
            var _ = response.writeHead();
        }
        answer.pipe()
                .endOnFailure(false)
                .to(response)
                .onComplete(_ -> backend.open.remove(passed))
                .onFailure(failure -> fail(request, failure));
    }

    /** Cuts the caller off where the backend did. */
    private static void fail(HttpServerRequest request, Throwable failure) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset(failure instanceof StreamResetException reset ? reset.getCode() : 0);
        } else if (request.response().headWritten()) {
            var _ = request.connection().close();
        } else {
            refuse(request);
        }
    }

    @Override
    public void close() {
        checks.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
