package dev.parley.http.wire;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A socket that listens for requests. Each connection that it accepts gets a {@link ConnectionGuard}, and when it
 * closes it accepts what has connected until then: the kernel would reset those connections, and with them requests
 * that were sent already.
 */
final class GuardedListener extends NioServerSocketChannel {
    private static final Set<GuardedListener> OPEN = ConcurrentHashMap.newKeySet();

    GuardedListener() {
        OPEN.add(this);
    }

    /** Stops listening; connections that exist are served on. */
    static void closeAll() {
        for (GuardedListener listener : OPEN) {
            var _ = listener.close();
        }
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int read = super.doReadMessages(accepted);
        if (read > 0 && accepted.getLast() instanceof Channel connection) {
            connection.pipeline().addLast(new ConnectionGuard());
        }
        return read;
    }

    @Override
    protected void doClose() throws Exception {
        OPEN.remove(this);
        if (isActive()) {
            acceptTheRest();
        }
        super.doClose();
    }

    private void acceptTheRest() throws Exception {
        List<Object> accepted = new ArrayList<>();
        while (doReadMessages(accepted) > 0) {
            pipeline().fireChannelRead(accepted.removeLast());
        }
        pipeline().fireChannelReadComplete();
    }
}
