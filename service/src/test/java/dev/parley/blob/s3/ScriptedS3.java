package dev.parley.blob.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** An S3 store in memory, without signatures, that deviates as a test says. */
final class ScriptedS3 implements AutoCloseable {
    /** An attribute of requests. */
    static final String IGNORES_RANGES = "ignores-ranges";

    static final String SENDS_RANGES_WITH_200 = "sends-ranges-with-200";

    private final HttpServer server;
    private final Deviation deviation;
    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();

    /** Answers a request differently than S3; false to let it be answered as S3 does. */
    interface Deviation {
        boolean answer(HttpExchange exchange) throws IOException;
    }

    ScriptedS3(Deviation deviation) {
        this.deviation = deviation;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    Map<String, byte[]> objects() {
        return objects;
    }

    static boolean is(HttpExchange exchange, String method) {
        return exchange.getRequestMethod().equals(method);
    }

    static boolean isCopy(HttpExchange exchange) {
        return exchange.getRequestHeaders().containsKey("x-amz-copy-source");
    }

    /** A PUT by a signed URL. */
    static boolean isUpload(HttpExchange exchange) {
        return is(exchange, "PUT")
                && String.valueOf(exchange.getRequestURI().getQuery()).contains("X-Amz-Signature");
    }

    static boolean refuse(HttpExchange exchange, int status, String code, String message) throws IOException {
        exchange.getRequestBody().readAllBytes();
        send(
                exchange,
                status,
                "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>%s</Message></Error>"
                        .formatted(code, message)
                        .getBytes(StandardCharsets.UTF_8));
        return true;
    }

    static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        if (is(exchange, "HEAD")) {
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        if (deviation.answer(exchange)) {
            return;
        }
        String path = exchange.getRequestURI().getPath();
        switch (exchange.getRequestMethod()) {
            case "PUT" -> put(exchange, path);
            case "GET", "HEAD" -> get(exchange, path);
            case "DELETE" -> {
                objects.remove(path);
                send(exchange, 204, new byte[0]);
            }
            default -> send(exchange, 405, new byte[0]);
        }
    }

    private void put(HttpExchange exchange, String path) throws IOException {
        byte[] bytes = exchange.getRequestBody().readAllBytes();
        if (isCopy(exchange)) {
            String source = URLDecoder.decode(
                    exchange.getRequestHeaders().getFirst("x-amz-copy-source"), StandardCharsets.UTF_8);
            objects.put(path, objects.get(source.startsWith("/") ? source : "/" + source));
            send(
                    exchange,
                    200,
                    "<CopyObjectResult><ETag>\"e\"</ETag></CopyObjectResult>".getBytes(StandardCharsets.UTF_8));
        } else if (exchange.getRequestHeaders().containsKey("If-None-Match") && objects.containsKey(path)) {
            refuse(exchange, 412, "PreconditionFailed", "It exists.");
        } else {
            objects.put(path, bytes);
            exchange.getResponseHeaders().set("ETag", etag(bytes));
            send(exchange, 200, new byte[0]);
        }
    }

    private void get(HttpExchange exchange, String path) throws IOException {
        byte[] bytes = objects.get(path);
        if (bytes == null) {
            refuse(exchange, 404, "NoSuchKey", "There is none.");
            return;
        }
        String expected = exchange.getRequestHeaders().getFirst("If-Match");
        if (expected != null && !expected.equals(etag(bytes))) {
            refuse(exchange, 412, "PreconditionFailed", "It is another one.");
            return;
        }
        exchange.getResponseHeaders().putIfAbsent("ETag", java.util.List.of(etag(bytes)));
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null || exchange.getAttribute(IGNORES_RANGES) != null) {
            if (is(exchange, "HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", String.valueOf(bytes.length));
            }
            send(exchange, 200, bytes);
        } else {
            String[] ends = range.substring("bytes=".length()).split("-", -1);
            boolean isPlain = exchange.getAttribute(SENDS_RANGES_WITH_200) != null;
            if (!isPlain) {
                exchange.getResponseHeaders()
                        .set("Content-Range", "bytes " + ends[0] + "-" + ends[1] + "/" + bytes.length);
            }
            send(
                    exchange,
                    isPlain ? 200 : 206,
                    Arrays.copyOfRange(
                            bytes, Integer.parseInt(ends[0]), Math.min(bytes.length, Integer.parseInt(ends[1]) + 1)));
        }
    }

    private static String etag(byte[] bytes) {
        return "\"" + Integer.toHexString(Arrays.hashCode(bytes)) + "\"";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
