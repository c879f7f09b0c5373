package dev.parley.http.wire;

import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.impl.transports.JDKTransport;
import io.vertx.core.spi.VertxServiceProvider;

/**
 * Makes the service listen by {@link GuardedListener}. Vert.x finds it as a service provider, and has no other way to
 * say what is answered to bytes that are no HTTP, or to stop listening while it goes on answering.
 */
public final class GuardedTransport extends JDKTransport implements VertxServiceProvider {
    @Override
    public void init(VertxBuilder builder) {
        builder.findTransport(this);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return domainSocket ? super.serverChannelFactory(true) : GuardedListener::new;
    }
}
