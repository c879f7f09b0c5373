package dev.parley.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Connections that have sent a request and read a kilobyte of the answer per second. */
final class SlowConnections implements AutoCloseable {
    private static final int BYTES_PER_SECOND = 1_024;
    private static final int OPENED_PER_SECOND = 400;

    private final List<SocketChannel> connections = new ArrayList<>();
    private final Thread reading;
    private volatile boolean closed;
    private volatile int connected;

    private SlowConnections(Service service, List<byte[]> requests, int count) {
        URI url = URI.create(service.url());
        for (int i = 0; i < count; i++) {
            try {
                connections.add(connect(
                        new InetSocketAddress(url.getHost(), url.getPort()), requests.get(i % requests.size())));
            } catch (IOException e) {
                throw new BenchException("A slow reader could not connect: " + e.getMessage());
            }
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) / OPENED_PER_SECOND);
        }
        connected = count;
        reading = Thread.ofPlatform().daemon().name("slow-readers").start(this::read);
    }

    /** Opens so many, with one request after the other. */
    static SlowConnections open(Service service, List<byte[]> requests, int count) {
        return new SlowConnections(service, requests, count);
    }

    static String get(String path, String key) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                + (key.isEmpty() ? "" : "Authorization: Bearer " + key + "\r\n") + "\r\n";
    }

    /** How many the service has not closed. */
    int connected() {
        return connected;
    }

    private static SocketChannel connect(InetSocketAddress service, byte[] request) throws IOException {
        SocketChannel connection = SocketChannel.open();
        connection.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
        connection.connect(service);
        connection.write(ByteBuffer.wrap(request));
        connection.configureBlocking(false);
        return connection;
    }

    private void read() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES_PER_SECOND);
        while (!closed) {
            long begin = System.nanoTime();
            int open = 0;
            for (SocketChannel connection : connections) {
                open += isOpen(connection, bytes.clear()) ? 1 : 0;
            }
            connected = open;
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) - (System.nanoTime() - begin));
        }
    }

    private static boolean isOpen(SocketChannel connection, ByteBuffer bytes) {
        try {
            if (connection.isOpen() && connection.read(bytes) >= 0) {
                return true;
            }
            connection.close();
        } catch (IOException reset) {
            close(connection);
        }
        return false;
    }

    private static void close(SocketChannel connection) {
        try {
            connection.close();
        } catch (IOException e) {
            throw new BenchException("A slow reader could not be closed: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            reading.join();
        } catch (InterruptedException e) {
            throw new BenchException("interrupted");
        }
        connections.forEach(SlowConnections::close);
    }
}
