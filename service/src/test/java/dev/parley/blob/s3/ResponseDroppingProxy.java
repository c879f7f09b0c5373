package dev.parley.blob.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;

/** Forwards connections to a server, and closes the first one instead of forwarding the response. */
final class ResponseDroppingProxy implements AutoCloseable {
    private static final String STATUS = "HTTP/1.1 200";
    private static final String CONTINUE = "HTTP/1.1 100";

    private final ServerSocket socket;
    private final int target;
    private final AtomicBoolean lost = new AtomicBoolean();

    ResponseDroppingProxy(int target) throws IOException {
        this.target = target;
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    boolean isLost() {
        return lost.get();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                Thread.ofVirtual().start(() -> pass(client, server));
                Thread.ofVirtual().start(() -> answer(server, client));
            } catch (IOException _) {
                return; // It was closed.
            }
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // One side has disconnected.
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private void answer(Socket server, Socket client) {
        try (server;
                client) {
            InputStream in = server.getInputStream();
            byte[] status = in.readNBytes(STATUS.length());
            while (text(status).equals(CONTINUE)) {
                client.getOutputStream().write(status);
                String rest = "";
                while (!rest.endsWith("\r\n\r\n")) {
                    int next = in.read();
                    if (next < 0) {
                        return;
                    }
                    rest += (char) next;
                }
                client.getOutputStream().write(rest.getBytes(StandardCharsets.ISO_8859_1));
                status = in.readNBytes(STATUS.length());
            }
            if (status.length == STATUS.length() && !lost.getAndSet(true)) {
                return;
            }
            client.getOutputStream().write(status);
            in.transferTo(client.getOutputStream());
        } catch (IOException _) {
            // One side has disconnected.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
