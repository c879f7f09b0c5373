package dev.parley.chaos;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection that shows the outcome of each request; client libraries retry some by themselves. */
final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;
    private final URI service;

    /** @param body empty if the connection ended without a response */
    record Answer(int status, boolean closes, String body) {}

    /** @throws IOException if the connection is refused */
    RawClient(URI service) throws IOException {
        this.service = service;
        try {
            socket.connect(new InetSocketAddress(service.getHost(), service.getPort()), 5_000);
            socket.setSoTimeout(30_000);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    int localPort() {
        return socket.getLocalPort();
    }

    Answer post(String path, String authorization, String json) throws IOException {
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + service.getAuthority() + "\r\nAuthorization: "
                + authorization + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n";
        socket.getOutputStream().write((head + json).getBytes(StandardCharsets.US_ASCII));
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = 0;
        boolean closes = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            closes |= lower.equals("connection: close");
            if (lower.startsWith("content-length: ")) {
                length = Integer.parseInt(lower.substring("content-length: ".length()));
            }
        }
        return new Answer(status, closes, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection ended without an answer");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
