package dev.parley.event;

import dev.parley.Tenant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.ConfigProvider;

/** A client of server-sent events with its own connection. */
public final class SseClient implements AutoCloseable {
    /** A received event. */
    public record Received(String id, String type, String data) {}

    private final Socket socket;
    private final BufferedReader in;
    private final int status;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Received> withDeltas = new CopyOnWriteArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile boolean ended;
    private volatile boolean endedWell;

    private SseClient(Socket socket, BufferedReader in, int status) {
        this.socket = socket;
        this.in = in;
        this.status = status;
    }

    /** Opens a stream and waits for the response head. Headers are alternating names and values. */
    public static SseClient open(String path, String... headers) {
        URI base = URI.create(ConfigProvider.getConfig().getValue("test.url", String.class));
        SseClient stream = connect(base, path, false, headers);
        stream.readOn();
        return stream;
    }

    /** Same for another process than the one under test. */
    public static SseClient open(URI base, String path, String... headers) {
        SseClient stream = connect(base, path, false, headers);
        stream.readOn();
        return stream;
    }

    /** A client with a small buffer that reads only the head until {@link #readOn}. */
    public static SseClient openWithoutReading(String path, String... headers) {
        return connect(URI.create(ConfigProvider.getConfig().getValue("test.url", String.class)), path, true, headers);
    }

    private static SseClient connect(URI base, String path, boolean slow, String... headers) {
        try {
            var socket = new Socket();
            if (slow) {
                socket.setReceiveBufferSize(4_096);
            }
            socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
            var head =
                    new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n");
            for (int i = 0; i < headers.length; i += 2) {
                head.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
            }
            socket.getOutputStream().write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            int status = Integer.parseInt(in.readLine().substring(9, 12));
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                // The head.
            }
            return new SseClient(socket, in, status);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public void readOn() {
        Thread.ofVirtual().start(this::read);
    }

    public int status() {
        return status;
    }

    private void read() {
        List<String> fields = new ArrayList<>();
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
                if (line.equals("0")) {
                    endedWell = true;
                    break; // The last chunk.
                }
                if (line.startsWith("id: ") || line.startsWith("event: ") || line.startsWith("data: ")) {
                    fields.add(line.substring(line.indexOf(' ') + 1));
                }
                if (line.isEmpty() && !fields.isEmpty()) {
                    boolean isStored = fields.size() == 3;
                    var event = new Received(
                            isStored ? fields.getFirst() : "", fields.get(fields.size() - 2), fields.getLast());
                    withDeltas.add(event);
                    if (isStored) {
                        received.add(event);
                    }
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

    /** {@link #await} of the stored events and those without an id, in their order. */
    public List<Received> awaitWithDeltas(Predicate<List<Received>> suits) {
        return Tenant.eventually(() -> List.copyOf(withDeltas), suits);
    }

    public void awaitText(String line) {
        Tenant.eventually(() -> lines, all -> all.contains(line));
    }

    public List<Received> received() {
        return List.copyOf(received);
    }

    /** Waits until it ends, cleanly or not. */
    public void awaitEnd() {
        Tenant.eventually(() -> ended, over -> over);
    }

    /** Whether the service ended it cleanly, rather than the connection being lost. */
    public boolean endedWell() {
        return endedWell;
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
