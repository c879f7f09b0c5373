package dev.parley.http.wire;

import io.netty.channel.ChannelFactory;
import io.netty.channel.ServerChannel;
import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.impl.transports.JDKTransport;
import io.vertx.core.spi.VertxServiceProvider;

/**
 * Makes the service listen with {@link GuardedListener}. Vert.x finds it as a service provider; it has no other
 * extension point for malformed requests, or for closing the listener while requests are still served.
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
