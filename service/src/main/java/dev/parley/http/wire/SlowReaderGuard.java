package dev.parley.http.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of a connection whose client does not read: a large response is passed on in slices as fast as the
 * socket accepts them. The rest is charged to the {@link UnsentBudget}, and the connection is closed if nothing is sent
 * for {@link #STALL_LIMIT}. It is the first handler of the pipeline, so it sees encoded bytes.
 */
final class SlowReaderGuard extends ChannelDuplexHandler implements UnsentBudget.UnsentConnection {
    static final Duration STALL_LIMIT = Duration.ofSeconds(60);

    /** Netty treats a channel as unwritable above the first mark, and as writable again below the second. */
    static final int HIGH_WATER_MARK = 32 * 1024;

    static final int LOW_WATER_MARK = 16 * 1024;

    private static final int SLICE_SIZE = 16 * 1024;

    /** Consecutive flushes, so that a fast reader of a large response does not monopolise the event loop. */
    private static final int MAX_FLUSHES = 16;

    /** Additional memory of a streamed response: its thread, and a page of rows or a file buffer. */
    private static final long STREAM_BYTES = 64 * 1024;

    private static final long CHECK_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A client that falls behind again within this time is judged by its rate since the first time. */
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final UnsentBudget budget;
    private final LongSupplier nanos;
    private final Queue<HeldWrite> pendingWrites = new ArrayDeque<>(2);
    private final AtomicLong charged = new AtomicLong();
    private @Nullable ChannelHandlerContext context;
    private @Nullable PipelineGate gate;
    private boolean draining;
    private boolean checking;
    private boolean behind;
    private boolean wasBehind;
    private long passedBytes;
    private long behindSince;
    private long sentBefore;
    private long caughtUpAt;
    private long lastSent;
    private long progressAt;
    private volatile double rate;
    private volatile boolean settled;

    /** The budget has released the connection, which must not be charged again before it is closed. */
    private volatile boolean disconnecting;

    private record HeldWrite(Object message, ChannelPromise promise) {
        /** A read-only buffer is shared by all connections. */
        long ownedBytes() {
            return message instanceof ByteBuf bytes && !bytes.isReadOnly() ? bytes.readableBytes() : 0;
        }
    }

    SlowReaderGuard() {
        this(UnsentBudget.SHARED, System::nanoTime);
    }

    SlowReaderGuard(UnsentBudget budget, LongSupplier nanos) {
        this.budget = budget;
        this.nanos = nanos;
    }

    /** Notifies the gate when everything before it was sent. */
    void notifyWhenSent(PipelineGate waiting) {
        gate = waiting;
    }

    /** Whether responses wait for the client beyond the capacity of a socket. */
    boolean isBehind(ChannelHandlerContext any) {
        return !pendingWrites.isEmpty() || !any.channel().isWritable();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void write(ChannelHandlerContext to, Object message, ChannelPromise promise) throws Exception {
        if (pendingWrites.isEmpty() && to.channel().isWritable() && isSmall(message)) {
            pass(to, message, promise);
        } else if (to.channel().isOpen()) {
            pendingWrites.add(new HeldWrite(message, promise));
        } else {
            var _ = to.write(message, promise);
        }
    }

    private static boolean isSmall(Object message) {
        return !(message instanceof ByteBuf bytes) || bytes.readableBytes() <= SLICE_SIZE;
    }

    private void pass(ChannelHandlerContext to, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            passedBytes += bytes.readableBytes();
        }
        var _ = to.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext to) {
        if (pendingWrites.isEmpty()) {
            to.flush();
            track(to);
        } else {
            drain(to);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext from) throws Exception {
        if (from.channel().isWritable()) {
            drain(from);
        }
        super.channelWritabilityChanged(from);
    }

    private void drain(ChannelHandlerContext to) {
        if (draining) {
            return;
        }
        draining = true;
        try {
            int flushes = 0;
            do {
                while (!pendingWrites.isEmpty() && to.channel().isWritable()) {
                    passSlice(to);
                }
                to.flush();
            } while (!pendingWrites.isEmpty() && to.channel().isWritable() && ++flushes < MAX_FLUSHES);
        } finally {
            draining = false;
        }
        track(to);
        if (!pendingWrites.isEmpty() && to.channel().isWritable()) {
            to.executor().execute(() -> drain(to));
        } else if (gate != null && !isBehind(to)) {
            // Deferred, because Vert.x may be in the middle of the write that led here.
            to.executor().execute(gate::responsesWereSent);
        }
    }

    private void passSlice(ChannelHandlerContext to) {
        HeldWrite next = pendingWrites.element();
        if (next.message instanceof ByteBuf bytes && bytes.readableBytes() > SLICE_SIZE) {
            pass(to, bytes.readRetainedSlice(SLICE_SIZE), to.newPromise());
        } else {
            pendingWrites.remove();
            pass(to, next.message, next.promise);
        }
    }

    /** Called after each flush: records whether the client is behind, and the connection's memory. */
    private void track(ChannelHandlerContext to) {
        if (disconnecting) {
            return;
        }
        ChannelOutboundBuffer outbound = to.channel().unsafe().outboundBuffer();
        if (outbound == null || (pendingWrites.isEmpty() && outbound.isEmpty())) {
            caughtUp();
            return;
        }
        long now = nanos.getAsLong();
        long sent = passedBytes - outbound.totalPendingWriteBytes() + outbound.currentProgress();
        if (!behind) {
            behind = true;
            if (!wasBehind || now - caughtUpAt > MEMORY_NANOS) {
                wasBehind = true;
                behindSince = now;
                sentBefore = sent;
                settled = false;
            }
            progressAt = now;
        } else if (sent != lastSent) {
            progressAt = now;
        }
        lastSent = sent;
        rate = (sent - sentBefore) / Math.max(1, (now - behindSince) / 1e9);
        settled = now - behindSince > SETTLED_NANOS;
        budget.charge(this, heldBytes(outbound));
        if (!checking) {
            checking = true;
            var _ = to.executor().schedule(() -> check(to), CHECK_INTERVAL_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void caughtUp() {
        if (behind) {
            behind = false;
            caughtUpAt = nanos.getAsLong();
            budget.release(this);
        }
    }

    private long heldBytes(ChannelOutboundBuffer outbound) {
        long bytes = outbound.totalPendingWriteBytes();
        for (HeldWrite write : pendingWrites) {
            bytes += write.ownedBytes();
        }
        boolean hasWriter = gate != null && gate.isStreaming() && !(outbound.current() instanceof FileRegion);
        return hasWriter ? bytes + STREAM_BYTES : bytes;
    }

    private void check(ChannelHandlerContext to) {
        checking = false;
        track(to);
        if (behind && nanos.getAsLong() - progressAt > STALL_LIMIT.toNanos()) {
            UnsentBudget.countClosed();
            reset(to);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) throws Exception {
        caughtUp();
        for (HeldWrite write = pendingWrites.poll(); write != null; write = pendingWrites.poll()) {
            ReferenceCountUtil.release(write.message);
            write.promise.tryFailure(new ClosedChannelException());
        }
        super.channelInactive(from);
    }

    @Override
    public AtomicLong charged() {
        return charged;
    }

    @Override
    public double rate() {
        return rate;
    }

    @Override
    public boolean isSettled() {
        return settled;
    }

    @Override
    public void disconnect() {
        disconnecting = true;
        ChannelHandlerContext added = context;
        if (added != null) {
            added.executor().execute(() -> reset(added));
        }
    }

    /** Resets the connection, so that the kernel frees its buffers too. */
    private static void reset(ChannelHandlerContext connection) {
        if (connection.channel().isOpen()) {
            connection.channel().config().setOption(ChannelOption.SO_LINGER, 0);
            var _ = connection.close();
        }
    }
}
