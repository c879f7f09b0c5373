package dev.parley.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory of a connection whose client does not read; the test controls the socket and the clock. */
class SlowReaderGuardTest {
    private static final int MEGABYTE = 1 << 20;

    private final UnsentBudget budget = new UnsentBudget(4 * MEGABYTE);
    private final List<Socket> sockets = new ArrayList<>();
    private long now = 1;

    /** A socket that accepts as many bytes as the test allows. */
    private final class Socket extends EmbeddedChannel {
        private long room;
        private long taken;

        Socket() {
            super(new SlowReaderGuard(budget, () -> now));
            freezeTime();
            config().setWriteBufferWaterMark(
                            new WriteBufferWaterMark(SlowReaderGuard.LOW_WATER_MARK, SlowReaderGuard.HIGH_WATER_MARK));
            sockets.add(this);
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer out) {
            for (Object next = out.current(); next != null && room > 0; next = out.current()) {
                int bytes = (int) Math.min(room, ((ByteBuf) next).readableBytes());
                out.removeBytes(bytes);
                room -= bytes;
                taken += bytes;
                if (bytes == 0) {
                    out.remove();
                }
            }
        }

        void answer(int bytes) {
            var _ = writeAndFlush(Unpooled.wrappedBuffer(new byte[bytes]));
        }

        void answerShared(byte[] document) {
            var _ = writeAndFlush(
                    Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(document).asReadOnly()));
        }

        /** The client reads. */
        void take(long bytes) {
            room = bytes;
            unsafe().flush();
            flush();
            room = 0;
        }

        long passed() {
            return unsafe().outboundBuffer().totalPendingWriteBytes();
        }
    }

    @AfterEach
    void closeAll() {
        for (Socket socket : sockets) {
            var _ = socket.close();
        }
        assertThat(budget.total()).isZero();
    }

    private void passes(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += TimeUnit.SECONDS.toNanos(1);
            for (Socket socket : sockets) {
                socket.advanceTimeBy(1, TimeUnit.SECONDS);
                socket.runScheduledPendingTasks();
                socket.runPendingTasks();
            }
        }
    }

    @Test
    void aLargeResponseIsPassedOnAsTheClientReads() {
        Socket socket = new Socket();
        socket.answer(MEGABYTE);
        socket.answer(10);
        assertThat(socket.passed()).isLessThan(64 * 1024);
        assertThat(budget.total()).isBetween((long) MEGABYTE, MEGABYTE + 10_000L);

        while (socket.taken < MEGABYTE / 2) {
            socket.take(10_000);
            assertThat(socket.passed()).isLessThan(64 * 1024);
        }
        assertThat(budget.total()).isLessThan(MEGABYTE * 6 / 10);
        socket.take(2 * MEGABYTE);
        socket.take(2 * MEGABYTE);
        socket.runPendingTasks();
        assertThat(socket.taken).isEqualTo(MEGABYTE + 10);
        assertThat(budget.total()).isZero();
    }

    @Test
    void aSharedDocumentCostsAConnectionNextToNothing() {
        byte[] document = new byte[MEGABYTE];
        for (int i = 0; i < 50; i++) {
            new Socket().answerShared(document);
        }
        assertThat(budget.total()).isLessThan(50 * 64 * 1024);
        assertThat(sockets).allMatch(Socket::isOpen);
    }

    @Test
    void aStalledClientIsClosedAfterTheLimit() {
        Socket socket = new Socket();
        socket.answer(MEGABYTE);
        passes((int) SlowReaderGuard.STALL_LIMIT.toSeconds() - 2);
        assertThat(socket.isOpen()).isTrue();
        passes(5);
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void aSlowlyReadingClientIsNotClosed() {
        Socket socket = new Socket();
        socket.answer(MEGABYTE);
        for (int i = 0; i < 10; i++) {
            passes(30);
            socket.take(10_000);
        }
        assertThat(socket.isOpen()).isTrue();
    }

    @Test
    void aClientWithoutUnsentBytesIsNotClosed() {
        Socket socket = new Socket();
        socket.answer(1_000);
        socket.take(2_000);
        passes(600);
        assertThat(socket.isOpen()).isTrue();
    }

    @Test
    void theSlowestReadersMakeRoom() {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Socket socket = new Socket();
            socket.answer(MEGABYTE * 9 / 10);
            slow.add(socket);
        }
        passes(3);
        slow.get(2).take(100_000);
        passes(3);

        Socket next = new Socket();
        next.answer(MEGABYTE * 12 / 10);
        passes(1);

        assertThat(next.isOpen()).isTrue();
        assertThat(slow.get(2).isOpen()).isTrue();
        assertThat(slow.stream().filter(Socket::isOpen)).hasSize(3);
        assertThat(budget.total()).isLessThanOrEqualTo(4 * MEGABYTE);
    }

    @Test
    void readersWithoutTimeToReadAreSparedUpToTwiceTheLimit() {
        for (int i = 0; i < 7; i++) {
            new Socket().answer(MEGABYTE);
        }
        assertThat(sockets).allMatch(Socket::isOpen);
        for (int i = 0; i < 10; i++) {
            new Socket().answer(MEGABYTE);
        }
        sockets.forEach(Socket::runPendingTasks);
        assertThat(budget.total()).isLessThanOrEqualTo(8 * MEGABYTE);
        assertThat(sockets).anyMatch(socket -> !socket.isOpen());
    }
}
