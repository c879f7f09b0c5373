package dev.parley.http.wire;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The listening socket. Every accepted connection gets a {@link SlowReaderGuard} and a {@link ConnectionGuard}. On
 * close, it accepts the pending connections and no more: the kernel would reset them, and with them requests that were
 * already sent.
 */
final class GuardedListener extends NioServerSocketChannel {
    private static final Logger LOG = Logger.getLogger(GuardedListener.class);

    /** Linux would let it grow to 4 MB. */
    private static final int SEND_BUFFER_SIZE = 256 * 1024;

    private static final RecvByteBufAllocator READ_SIZES = new AdaptiveRecvByteBufAllocator(64, 2_048, 16 * 1024);
    private static final WriteBufferWaterMark WATER_MARKS =
            new WriteBufferWaterMark(SlowReaderGuard.LOW_WATER_MARK, SlowReaderGuard.HIGH_WATER_MARK);

    private static final Set<GuardedListener> OPEN = ConcurrentHashMap.newKeySet();

    GuardedListener() {
        OPEN.add(this);
    }

    /** Stops listening; existing connections are still served. */
    static void closeAll() {
        for (GuardedListener listener : OPEN) {
            var _ = listener.close();
        }
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int read = super.doReadMessages(accepted);
        if (read > 0 && accepted.getLast() instanceof Channel connection) {
            limitBuffers(connection.config());
            connection.pipeline().addLast(new SlowReaderGuard()).addLast(new ConnectionGuard());
            LOG.debugf("accepted %s", connection.remoteAddress());
        }
        return read;
    }

    /** Limits the kernel's and Netty's buffers of one connection, in both directions. */
    private static void limitBuffers(ChannelConfig connection) {
        connection.setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_SIZE);
        connection.setRecvByteBufAllocator(READ_SIZES);
        connection.setWriteBufferWaterMark(WATER_MARKS);
    }

    @Override
    protected void doClose() throws Exception {
        OPEN.remove(this);
        if (!isActive()) {
            super.doClose();
            return;
        }
        List<Object> accepted = new ArrayList<>();
        try {
            leaveSelector();
            acceptPending(accepted);
        } finally {
            super.doClose();
            accepted.forEach(pipeline()::fireChannelRead);
            pipeline().fireChannelReadComplete();
        }
    }

    /**
     * The JDK closes a registered channel only at the selector's next select; until then the kernel would accept
     * connections.
     */
    private void leaveSelector() throws IOException {
        Selector selector = selectionKey().selector();
        selectionKey().cancel();
        selector.selectNow();
    }

    private void acceptPending(List<Object> accepted) throws Exception {
        int read;
        do {
            read = doReadMessages(accepted);
        } while (read > 0);
    }
}
