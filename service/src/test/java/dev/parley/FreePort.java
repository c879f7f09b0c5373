package dev.parley;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports below the ephemeral ones, so that no connection takes them while their process is restarted. */
public final class FreePort {
    private static final int FIRST = 10_000;
    private static final int LAST = 20_000;

    private FreePort() {}

    /** A port that no process uses at the moment. */
    public static int next() {
        while (true) {
            int candidate = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            try (var socket = new ServerSocket(candidate)) {
                return socket.getLocalPort();
            } catch (IOException _) {
                // In use: try another.
            }
        }
    }
}
