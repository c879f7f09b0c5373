package dev.parley.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing the listener has no gap: earlier connections are served, and later ones refused. */
class GuardedListenerTest {
    private final EventLoopGroup loop = new NioEventLoopGroup(1);

    @AfterEach
    void stop() {
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @ChannelHandler.Sharable
    private static final class Greeting extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            context.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {'!'})).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Test
    void connectionsBeforeTheCloseAreServedAndLaterOnesRefused() throws Exception {
        Channel listener = new ServerBootstrap()
                .group(loop)
                .channelFactory(GuardedListener::new)
                .childHandler(new Greeting())
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        var address = (InetSocketAddress) listener.localAddress();
        try (var before = new Socket();
                var after = new Socket()) {
            before.setSoTimeout(10_000);
            // In one step on the only event loop, which can neither accept nor select meanwhile.
            loop.submit(() -> {
                        before.connect(address);
                        var _ = listener.close();
                        assertThatThrownBy(() -> after.connect(address)).isInstanceOf(ConnectException.class);
                        return null;
                    })
                    .sync();
            assertThat(before.getInputStream().read()).isEqualTo('!');
        }
    }
}
