package dev.parley.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.egress.ScriptedServer;
import dev.parley.egress.ScriptedServer.Received;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A webhook receiver that responds according to a script, and records the webhooks that it accepted. */
final class ScriptedReceiver implements AutoCloseable {
    private final ScriptedServer server;
    private final List<Hook> seen = new CopyOnWriteArrayList<>();

    /** A received webhook. */
    record Hook(String path, String id, String timestamp, String signature, String body, long nanos) {
        JsonNode json() {
            try {
                return StrictJson.mapper().readTree(body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        long sequence() {
            return json().at("/data/sequence").asLong();
        }

        String type() {
            return json().at("/type").asText();
        }
    }

    /** Responds to one webhook. */
    @FunctionalInterface
    interface Behaviour {
        void response(Hook hook, OutputStream out) throws IOException, InterruptedException;
    }

    ScriptedReceiver(Behaviour behaviour) {
        this(0, behaviour);
    }

    private ScriptedReceiver(int port, Behaviour behaviour) {
        try {
            var socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
            server = new ScriptedServer(socket, (request, out) -> {
                Hook hook = hook(request);
                seen.add(hook);
                behaviour.response(hook, out);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ScriptedReceiver willing() {
        return new ScriptedReceiver((_, out) -> status(out, 200));
    }

    /** A receiver that accepts everything, on a given port. */
    static ScriptedReceiver on(int port) {
        return new ScriptedReceiver(port, (_, out) -> status(out, 200));
    }

    static void status(OutputStream out, int status, String... headers) throws IOException {
        ScriptedServer.write(out, status, "text/plain", "status " + status, headers);
    }

    private static Hook hook(Received request) {
        String path = request.line().split(" ", -1)[1];
        return new Hook(
                path,
                request.header("webhook-id"),
                request.header("webhook-timestamp"),
                request.header("webhook-signature"),
                request.body(),
                System.nanoTime());
    }

    String url(String path) {
        return server.url(path);
    }

    List<Hook> seen() {
        return seen;
    }

    List<Hook> at(String path) {
        return seen.stream().filter(hook -> hook.path.equals(path)).toList();
    }

    int connections() {
        return server.connections();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
