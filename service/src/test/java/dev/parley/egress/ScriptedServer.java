package dev.parley.egress;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server on loopback that writes scripted bytes, well-formed or not. */
public final class ScriptedServer implements AutoCloseable {
    /** A request as received. */
    public record Received(String head, String body) {
        public String line() {
            return head.lines().findFirst().orElse("");
        }

        public String header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    /** Writes one response; if it returns without closing, the connection serves the next request. */
    @FunctionalInterface
    public interface Script {
        void answer(Received request, OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket server;
    private final Script script;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    public ScriptedServer(Script script) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    }

    public ScriptedServer(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    /** A complete response with a length, which keeps the connection open. */
    public static Script answering(int status, String contentType, String body, String... headers) {
        return (request, out) -> write(out, status, contentType, body, headers);
    }

    public static void write(OutputStream out, int status, String contentType, String body, String... headers)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\r\n");
        head.append("Content-Type: ").append(contentType).append("\r\n");
        head.append("Content-Length: ").append(bytes.length).append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        out.write((head + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.write(bytes);
        out.flush();
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    public List<Received> received() {
        return received;
    }

    public int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            connections.incrementAndGet();
            for (Received request = read(in); request != null; request = read(in)) {
                received.add(request);
                script.answer(request, socket.getOutputStream());
            }
        } catch (IOException | InterruptedException gone) {
            // the client disconnected, or the script closed the connection
        }
    }

    private static @org.jspecify.annotations.Nullable Received read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            head.write(b);
        }
        Received request = new Received(head.toString(StandardCharsets.ISO_8859_1), "");
        String length = request.header("Content-Length");
        byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
        return new Received(request.head(), new String(body, StandardCharsets.UTF_8));
    }
}
