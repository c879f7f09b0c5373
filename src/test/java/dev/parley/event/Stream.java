package dev.parley.event;

import dev.parley.Tenant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.ConfigProvider;

/** A reader of server-sent events on a connection of its own. */
public final class Stream implements AutoCloseable {
    /** An event as it came. */
    public record Received(String id, String type, String data) {}

    private final Socket socket;
    private final int status;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    private Stream(Socket socket, int status) {
        this.socket = socket;
        this.status = status;
    }

    /** Opens a stream; the answer's head is there when it returns. */
    public static Stream open(String path, String header, String value) {
        try {
            URI base = URI.create(ConfigProvider.getConfig().getValue("test.url", String.class));
            var socket = new Socket(base.getHost(), base.getPort());
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n" + header
                                    + ": " + value + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            int status = Integer.parseInt(in.readLine().substring(9, 12));
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                // The head.
            }
            var stream = new Stream(socket, status);
            Thread.ofVirtual().start(() -> stream.read(in));
            return stream;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public int status() {
        return status;
    }

    private void read(BufferedReader in) {
        List<String> fields = new ArrayList<>();
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
                if (line.equals("0")) {
                    break; // The last chunk.
                }
                if (line.startsWith("id: ") || line.startsWith("event: ") || line.startsWith("data: ")) {
                    fields.add(line.substring(line.indexOf(' ') + 1));
                }
                if (fields.size() == 3) {
                    received.add(new Received(fields.get(0), fields.get(1), fields.get(2)));
                    fields.clear();
                }
            }
        } catch (IOException _) {
            // Closed.
        }
        ended = true;
    }

    public List<Received> await(Predicate<List<Received>> suits) {
        return Tenant.eventually(() -> List.copyOf(received), suits);
    }

    public void awaitText(String line) {
        Tenant.eventually(() -> lines, all -> all.contains(line));
    }

    public void awaitEnd() {
        Tenant.eventually(() -> ended, over -> over);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
