package dev.parley.http.wire;

import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.filter.RequestFilter;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Guards one connection: bytes that are not HTTP get the API's error body, and a request that arrives too slowly gets
 * 408 and is disconnected. A head must arrive within {@link #HEAD}, a body at {@link #MIN_BYTES_PER_SECOND} bytes per
 * second after {@link #GRACE}, and the rest of a body that was already answered within the time for a head. It precedes
 * the decoder and sees bytes; {@link MessageTracker} precedes Vert.x's own handler and sees messages.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter {
    static final Duration HEAD = Duration.ofSeconds(10);
    static final Duration GRACE = Duration.ofSeconds(20);
    static final int MIN_BYTES_PER_SECOND = 500;
    private static final long CHECK_INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

    /** Names of Vert.x's handlers in the pipeline. */
    private static final String VERTX_HANDLER = "handler";

    private static final String VERTX_DECODER = "httpDecoder";

    /** What the client is currently sending. */
    private enum ConnectionPhase {
        IDLE,
        HEAD,
        BODY
    }

    private final LongSupplier nanos;
    private ConnectionPhase phase = ConnectionPhase.IDLE;
    private long since;
    private long bytes;
    private boolean checkScheduled;
    private boolean installed;

    ConnectionGuard() {
        this(System::nanoTime);
    }

    ConnectionGuard(LongSupplier nanos) {
        this.nanos = nanos;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (!installed) {
            install(context);
        }
        if (message instanceof ByteBuf buffer) {
            bytes += buffer.readableBytes();
            if (phase == ConnectionPhase.IDLE && buffer.isReadable() && !isLineEnd(buffer)) {
                startPhase(ConnectionPhase.HEAD);
                scheduleCheck(context);
            }
        }
        super.channelRead(context, message);
    }

    private void install(ChannelHandlerContext context) {
        installed = true;
        ChannelPipeline pipeline = context.pipeline();
        SlowReaderGuard sent = pipeline.get(SlowReaderGuard.class);
        if (sent != null && pipeline.get(VERTX_HANDLER) != null) {
            var decoder = new StrictRequestDecoder();
            pipeline.replace(VERTX_DECODER, VERTX_DECODER, decoder);
            var gate = new PipelineGate(decoder, context, sent);
            sent.notifyWhenSent(gate);
            pipeline.addBefore(VERTX_HANDLER, "gate", gate);
            pipeline.addBefore(VERTX_HANDLER, "messages", new MessageTracker());
        }
    }

    /** Some clients send a line end after a body; it does not start a request. */
    private static boolean isLineEnd(ByteBuf buffer) {
        byte first = buffer.getByte(buffer.readerIndex());
        return first == '\r' || first == '\n';
    }

    private void startPhase(ConnectionPhase next) {
        phase = next;
        since = nanos.getAsLong();
        bytes = 0;
    }

    /** Only one scheduled check at a time, however many requests pass in between. */
    private void scheduleCheck(ChannelHandlerContext context) {
        if (!checkScheduled) {
            checkScheduled = true;
            var _ = context.executor().schedule(() -> check(context), CHECK_INTERVAL_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void check(ChannelHandlerContext context) {
        checkScheduled = false;
        ChannelHandlerContext decoded = context.pipeline().context(MessageTracker.class);
        if (phase == ConnectionPhase.IDLE
                || decoded == null
                || !context.channel().isActive()) {
            return;
        }
        var messages = (MessageTracker) decoded.handler();
        if (!context.channel().config().isAutoRead() || (phase == ConnectionPhase.HEAD && messages.unanswered > 0)) {
            since += CHECK_INTERVAL_NANOS;
        }
        if (isTooSlow(messages)) {
            messages.refuse(decoded, ApiProblem.of(ProblemKind.REQUEST_TIMEOUT, "The request arrived too slowly."));
        } else {
            scheduleCheck(context);
        }
    }

    private boolean isTooSlow(MessageTracker messages) {
        long waited = nanos.getAsLong() - since;
        boolean answered = phase == ConnectionPhase.BODY && messages.unanswered == 0;
        if (phase == ConnectionPhase.HEAD || answered) {
            return waited > HEAD.toNanos();
        }
        double seconds = Math.max(0, waited - GRACE.toNanos()) / 1e9;
        return bytes < seconds * MIN_BYTES_PER_SECOND;
    }

    /** Tracks requests and responses. */
    private final class MessageTracker extends ChannelDuplexHandler {
        private int unanswered;
        private boolean answering;
        private boolean toHead;
        private String path = "";
        private boolean refused;

        @Override
        public void channelRead(ChannelHandlerContext from, Object message) throws Exception {
            if (refused) {
                ReferenceCountUtil.release(message);
                return;
            }
            if (message instanceof HttpRequest request) {
                unanswered++;
                startPhase(ConnectionPhase.BODY);
                toHead = HttpMethod.HEAD.equals(request.method());
                path = request.uri().replaceFirst("[?;].*", "");
                if (request.decoderResult().isSuccess() && (isCodedOtherwise(request) || hasTwoHosts(request))) {
                    ReferenceCountUtil.release(message);
                    refuse(from, ProblemResponse.ofStatus(400));
                    return;
                }
            }
            if (message instanceof LastHttpContent) {
                phase = ConnectionPhase.IDLE;
            }
            if (message instanceof HttpContent content
                    && !(message instanceof HttpRequest)
                    && content.decoderResult().isFailure()) {
                ReferenceCountUtil.release(message);
                refuse(from, ProblemResponse.ofStatus(400));
                return;
            }
            super.channelRead(from, message);
        }

        /** A connection whose request is being processed is not idle, however long that takes. */
        @Override
        public void userEventTriggered(ChannelHandlerContext from, Object event) throws Exception {
            if (!(event instanceof IdleStateEvent && unanswered > 0 && phase == ConnectionPhase.IDLE)) {
                super.userEventTriggered(from, event);
            }
        }

        @Override
        public void write(ChannelHandlerContext to, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof HttpResponse response && !isInterim(response)) {
                answering = true;
            }
            if (answering && message instanceof LastHttpContent) {
                answering = false;
                unanswered--;
                since = nanos.getAsLong();
            }
            if (message instanceof FullHttpResponse response && isNotOurs(response)) {
                int status = response.status().code();
                ReferenceCountUtil.release(message);
                super.write(
                        to,
                        WireErrors.of(ProblemResponse.ofStatus(status, path), toHead),
                        promise.unvoid().addListener(ChannelFutureListener.CLOSE));
            } else {
                super.write(to, message, promise);
            }
        }

        /** An error generated below the API's filters, which add a request id to every response. */
        private static boolean isNotOurs(FullHttpResponse response) {
            return response.status().code() >= 400
                    && !response.content().isReadable()
                    && !response.headers().contains(RequestFilter.REQUEST_ID);
        }

        /** The end of such a body is ambiguous, which allows request smuggling. HTTP/1.0 has no transfer codings. */
        private static boolean isCodedOtherwise(HttpRequest request) {
            List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
            return !codings.isEmpty()
                    && (codings.size() > 1
                            || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst())
                            || !HttpVersion.HTTP_1_1.equals(request.protocolVersion()));
        }

        /** A proxy may have used the other host. */
        private static boolean hasTwoHosts(HttpRequest request) {
            return request.headers().getAll(HttpHeaderNames.HOST).size() > 1;
        }

        private static boolean isInterim(HttpResponse response) {
            return response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        }

        /** Answers the incoming request, unless another response is in progress, and closes the connection. */
        void refuse(ChannelHandlerContext context, ApiProblem problem) {
            refused = true;
            boolean inTurn = !answering && unanswered == (phase == ConnectionPhase.HEAD ? 0 : 1);
            if (inTurn) {
                context.writeAndFlush(WireErrors.of(problem, toHead && phase == ConnectionPhase.BODY))
                        .addListener(ChannelFutureListener.CLOSE);
            } else {
                var _ = context.close();
            }
        }
    }
}
