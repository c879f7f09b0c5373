package dev.parley.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Readers of live events that hear nothing but heartbeats, and what they cost a service that has just started.
 *
 * @param before memory of the service with the streams' conversations read, in MiB
 * @param after the most that it had while all of them were open
 * @param openSeconds how long it took to open them, one after the other
 */
record Readers(int count, long before, long after, double openSeconds) {
    private static final int COUNT = 2_000;
    private static final String CONNECTED = ": connected";

    /** Longer than the pause between heartbeats, so that each reader gets one. */
    private static final long QUIET_SECONDS = 20;

    static Readers measure(Service service, Tenant tenant) {
        List<Socket> open = new ArrayList<>();
        try {
            // The first streams load what all need.
            for (String conversation : tenant.conversations()) {
                open(service, tenant, conversation).close();
            }
            long before = Usage.memory(service.pid(), "VmRSS");
            long begin = System.nanoTime();
            for (int i = 0; i < COUNT; i++) {
                int which = i % tenant.conversations().size();
                open.add(open(service, tenant, tenant.conversations().get(which)));
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(QUIET_SECONDS));
            return new Readers(COUNT, before, Usage.memory(service.pid(), "VmHWM"), seconds);
        } catch (IOException e) {
            throw new BenchException("A stream of live events broke: " + e.getMessage());
        } finally {
            open.forEach(Readers::close);
        }
    }

    static Socket open(Service service, Tenant tenant, String conversation) throws IOException {
        URI url = URI.create(service.url());
        var socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(30_000);
        socket.getOutputStream()
                .write(("GET /developer/api/conversations/" + conversation + "/events HTTP/1.1\r\nHost: localhost\r\n"
                                + "Authorization: Bearer " + tenant.key() + "\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        InputStream in = new BufferedInputStream(socket.getInputStream(), 1_024);
        var head = new StringBuilder();
        while (head.indexOf(CONNECTED) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the answer was " + head);
            }
            head.append((char) next);
        }
        return socket;
    }

    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new BenchException("A stream could not be closed: " + e.getMessage());
        }
    }

    long added() {
        return after - before;
    }
}
