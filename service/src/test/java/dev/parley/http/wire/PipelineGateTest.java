package dev.parley.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pipelined requests reach the service one at a time. */
class PipelineGateTest {
    private final Service service = new Service();
    private final EmbeddedChannel connection = new EmbeddedChannel(new SlowReaderGuard(), new ConnectionGuard());

    PipelineGateTest() {
        connection
                .pipeline()
                .addLast("httpDecoder", new VertxHttpRequestDecoder(new HttpServerOptions()))
                .addLast("httpEncoder", new HttpResponseEncoder())
                .addLast("handler", service);
    }

    /** Records messages, and responds when the test says so. */
    private static final class Service extends ChannelInboundHandlerAdapter {
        private final List<String> requests = new ArrayList<>();
        private int complete;
        private int bodyBytes;
        private boolean answersAtOnce;
        private int answerBytes;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                requests.add(request.uri());
            }
            if (message instanceof HttpContent content) {
                bodyBytes += content.content().readableBytes();
            }
            boolean last = message instanceof LastHttpContent;
            ReferenceCountUtil.release(message);
            if (last) {
                complete++;
                if (answersAtOnce) {
                    var _ = context.channel().write(ok(answerBytes));
                }
            }
        }

        /** Vert.x does this with responses written during the read. */
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.channel().flush();
        }
    }

    private static DefaultFullHttpResponse ok(int bytes) {
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(new byte[bytes]));
        response.headers().set("Content-Length", bytes);
        return response;
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    @Test
    void oneRequestAtATime() {
        send(get(5));
        for (int i = 0; i < 5; i++) {
            assertThat(service.requests).hasSize(i + 1).last().isEqualTo("/" + i);
            answer();
        }
        assertThat(service.complete).isEqualTo(5);
        send(get(1));
        assertThat(service.requests).hasSize(6);
    }

    @Test
    void whileOneWaitsNothingIsRead() {
        send(get(1));
        assertThat(connection.config().isAutoRead()).isTrue();
        send(get(2));
        assertThat(connection.config().isAutoRead()).isFalse();

        connection.config().setAutoRead(true); // Vert.x does this for the rest of a body.
        assertThat(connection.config().isAutoRead()).isFalse();

        answer();
        assertThat(connection.config().isAutoRead()).isFalse();
        answer();
        assertThat(connection.config().isAutoRead()).isTrue();
    }

    @Test
    void readingThatWasPausedByTheServiceStaysPaused() {
        send(get(1));
        connection.config().setAutoRead(false);
        send(get(1));
        answer();
        assertThat(service.requests).hasSize(2);
        assertThat(connection.config().isAutoRead()).isFalse();
    }

    @Test
    void bodiesArriveWithTheirRequests() {
        String post = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n\r\n" + "x".repeat(30_000);
        String chunked = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        send(post + chunked + post + get(1) + chunked);
        assertThat(service.complete).isEqualTo(1);
        assertThat(service.bodyBytes).isEqualTo(30_000);
        for (int i = 1; i < 5; i++) {
            answer();
            assertThat(service.complete).isEqualTo(i + 1);
        }
        assertThat(service.requests).containsExactly("/p", "/c", "/p", "/0", "/c");
        assertThat(service.bodyBytes).isEqualTo(60_010);
    }

    @Test
    void aBodyThatArrivesInPartsWhileOthersWait() {
        send(get(1) + "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345");
        answer();
        assertThat(service.requests).containsExactly("/0", "/p");
        assertThat(connection.config().isAutoRead()).isTrue();
        send("67890" + get(1));
        assertThat(service.bodyBytes).isEqualTo(10);
        assertThat(service.complete).isEqualTo(2);
        answer();
        assertThat(service.requests).containsExactly("/0", "/p", "/0");
    }

    @Test
    void immediatelyAnsweredRequestsAreAdmittedImmediately() {
        service.answersAtOnce = true;
        send(get(200));
        connection.runPendingTasks();
        assertThat(service.complete).isEqualTo(200);
        assertThat(connection.config().isAutoRead()).isTrue();
    }

    @Test
    void largeResponsesToWaitingRequestsAreFlushed() {
        send(get(5));
        service.answersAtOnce = true;
        service.answerBytes = 500_000;
        answer();
        assertThat(service.complete).isEqualTo(5);
        assertThat(connection.config().isAutoRead()).isTrue();
    }

    @Test
    void anInterimResponseIsSkipped() {
        send(get(2));
        connection.writeOutbound(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        connection.runPendingTasks();
        assertThat(service.requests).hasSize(1);
    }

    private static String get(int count) {
        var requests = new StringBuilder();
        for (int i = 0; i < count; i++) {
            requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        return requests.toString();
    }

    private void send(String bytes) {
        connection.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.US_ASCII));
    }

    private void answer() {
        connection.writeOutbound(ok(0));
        connection.runPendingTasks();
        for (ByteBuf part = connection.readOutbound(); part != null; part = connection.readOutbound()) {
            part.release();
        }
    }
}
