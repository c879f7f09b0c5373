package dev.parley.http.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Admits one request of a connection at a time: a pipelined one waits until the previous response was written and
 * mostly sent. Meanwhile nothing is decoded or read, so that the rest of the pipeline stays in the socket. Vert.x
 * queues pipelined requests without limit and starts the next one however much is unsent.
 */
final class PipelineGate extends ChannelDuplexHandler {
    private final ByteToMessageDecoder decoder;
    private final ChannelHandlerContext beforeDecoder;
    private final SlowReaderGuard sent;
    private final Queue<Object> waiting = new ArrayDeque<>(4);
    private boolean unanswered;
    private boolean streaming;
    private boolean stopped;
    private boolean resumesReading;

    /** @param beforeDecoder the context from which bytes reach the decoder */
    PipelineGate(ByteToMessageDecoder decoder, ChannelHandlerContext beforeDecoder, SlowReaderGuard sent) {
        this.decoder = decoder;
        this.beforeDecoder = beforeDecoder;
        this.sent = sent;
    }

    /** Whether a response has begun but not ended. */
    boolean isStreaming() {
        return streaming;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (!waiting.isEmpty() || (message instanceof HttpRequest && isClosed())) {
            waiting.add(message);
            stop();
        } else {
            admit(from, message);
        }
    }

    private boolean isClosed() {
        return unanswered || sent.isBehind(beforeDecoder);
    }

    private void admit(ChannelHandlerContext from, Object message) {
        if (message instanceof HttpRequest) {
            unanswered = true;
        }
        from.fireChannelRead(message);
    }

    private void stop() {
        if (!stopped) {
            stopped = true;
            ChannelConfig config = beforeDecoder.channel().config();
            resumesReading = config.isAutoRead();
            config.setAutoRead(false);
            decoder.setSingleDecode(true);
        }
    }

    /** Vert.x resumes reading when it wants the rest of a body; while the gate is closed, that must wait. */
    @Override
    public void read(ChannelHandlerContext to) {
        if (stopped) {
            resumesReading = true;
            to.channel().config().setAutoRead(false);
        } else {
            to.read();
        }
    }

    @Override
    public void write(ChannelHandlerContext to, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            var _ = to.write(message, promise);
            return;
        }
        streaming = !(message instanceof LastHttpContent);
        var _ = to.write(message, promise);
        if (!streaming) {
            unanswered = false;
            if (stopped) {
                to.executor().execute(this::responsesWereSent);
            }
        }
    }

    /** Admits waiting requests once the previous responses have been sent. */
    void responsesWereSent() {
        ChannelHandlerContext here = beforeDecoder.pipeline().context(this);
        if (!stopped || isClosed() || here == null) {
            return;
        }
        stopped = false;
        decoder.setSingleDecode(false);
        if (resumesReading) {
            // First, so that Vert.x can pause reading again when it gets the waiting request.
            beforeDecoder.channel().config().setAutoRead(true);
        }
        while (!waiting.isEmpty() && !(waiting.peek() instanceof HttpRequest && isClosed())) {
            admit(here, waiting.remove());
        }
        // Vert.x flushes its writes when the read is complete.
        here.fireChannelReadComplete();
        if (!waiting.isEmpty()) {
            stop();
            return;
        }
        // The decoder continues with its buffered bytes when it gets more, even an empty buffer.
        beforeDecoder.fireChannelRead(Unpooled.EMPTY_BUFFER);
        beforeDecoder.fireChannelReadComplete();
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) throws Exception {
        for (Object message = waiting.poll(); message != null; message = waiting.poll()) {
            ReferenceCountUtil.release(message);
        }
        super.channelInactive(from);
    }
}
