package dev.parley.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Stalling clients are disconnected, and merely slow ones are not; the test controls the clock. */
class ConnectionGuardTest {
    private static final String HEAD = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n";

    private long now;
    private final EmbeddedChannel connection = new EmbeddedChannel();

    ConnectionGuardTest() {
        connection.freezeTime();
        connection
                .pipeline()
                .addLast(new SlowReaderGuard())
                .addLast(new ConnectionGuard(() -> now))
                .addLast("httpDecoder", new VertxHttpRequestDecoder(new HttpServerOptions()))
                .addLast("httpEncoder", new HttpResponseEncoder())
                .addLast("handler", new Service());
    }

    /** A handler that reads and does not respond. */
    private static final class Service extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            assertThat(message).isInstanceOf(HttpObject.class);
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof IdleStateEvent) {
                var _ = context.close();
            }
        }
    }

    @Test
    void aHeadThatDripsIsAnswered408() {
        for (int i = 0; i < 16 && connection.isOpen(); i++) {
            send("G");
            passes(1);
        }

        assertThat(answers()).startsWith("HTTP/1.1 408 ").contains("\"error\":\"Request timeout\"");
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aBodyThatDripsIsAnswered408() {
        send(HEAD);
        for (int i = 0; i < 60 && connection.isOpen(); i++) {
            send("x".repeat(100));
            passes(1);
        }

        assertThat(answers()).startsWith("HTTP/1.1 408 ");
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aSlowUploadContinues() {
        send(HEAD);
        for (int i = 0; i < 150; i++) {
            send("x".repeat(600));
            passes(1);
        }

        assertThat(connection.isOpen()).isTrue();
        assertThat(answers()).isEmpty();
    }

    @Test
    void aClientThatKeepsSendingARejectedBodyIsDisconnected() {
        send(HEAD);
        var refusal = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, Unpooled.EMPTY_BUFFER);
        refusal.headers().set("X-Request-Id", "of-a-filter");
        connection.writeOutbound(refusal);
        for (int i = 0; i < 9; i++) {
            send("x".repeat(2_000));
            passes(1);
        }
        assertThat(connection.isOpen()).isTrue();
        for (int i = 0; i < 10 && connection.isOpen(); i++) {
            send("x".repeat(2_000));
            passes(1);
        }
        assertThat(connection.isOpen()).isFalse();
        assertThat(answers()).contains(" 413 ").doesNotContain(" 408 ");
    }

    @Test
    void timeInWhichTheServiceDoesNotReadIsNotTheClients() {
        send(HEAD);
        connection.config().setAutoRead(false);
        passes(300);
        connection.config().setAutoRead(true);
        passes(15);

        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void anIdleConnectionAndALongResponseAreNotClosed() {
        send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
        passes(100);
        send("\r\n");
        send("GET /b HTTP");
        passes(100);
        assertThat(connection.isOpen()).isTrue();

        connection.writeOutbound(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER));
        send("/1.1\r\nHost: a\r\n\r\n");
        connection.writeOutbound(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER));
        passes(100);
        assertThat(connection.isOpen()).isTrue();
        assertThat(answers()).doesNotContain("408");
    }

    @Test
    void requestInProgressKeepsItsConnection() {
        send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
        connection.pipeline().fireUserEventTriggered(IdleStateEvent.ALL_IDLE_STATE_EVENT);
        assertThat(connection.isOpen()).isTrue();

        connection.writeOutbound(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER));
        connection.pipeline().fireUserEventTriggered(IdleStateEvent.ALL_IDLE_STATE_EVENT);
        assertThat(connection.isOpen()).isFalse();
    }

    private void send(String bytes) {
        connection.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
    }

    private void passes(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += Duration.ofSeconds(1).toNanos();
            connection.advanceTimeBy(1, TimeUnit.SECONDS);
            connection.runScheduledPendingTasks();
        }
    }

    private String answers() {
        var text = new StringBuilder();
        for (ByteBuf part = connection.readOutbound(); part != null; part = connection.readOutbound()) {
            text.append(part.toString(StandardCharsets.US_ASCII));
            part.release();
        }
        return text.toString();
    }
}
