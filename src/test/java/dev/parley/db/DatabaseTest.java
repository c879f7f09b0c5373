package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DatabaseTest {
    private static final Executor VIRTUAL_THREADS = work -> Thread.ofVirtual().start(work);

    @Test
    void backgroundWorkLeavesConnectionsToRequests() throws Exception {
        try (Database database = TestPostgres.empty()) {
            int connections = database.size();
            var holding = new AtomicInteger();
            var entered = new CountDownLatch(connections - connections / 4);
            var release = new CountDownLatch(1);
            List<CompletableFuture<Integer>> background = new ArrayList<>();
            for (int i = 0; i < 3 * connections; i++) {
                background.add(CompletableFuture.supplyAsync(
                        () -> Database.inBackground(() -> database.with(handle -> {
                            holding.incrementAndGet();
                            entered.countDown();
                            awaitUninterruptibly(release);
                            // A statement within another one has its permit already.
                            return database.with(inner -> inner.createQuery("SELECT 1")
                                    .mapTo(Integer.class)
                                    .one());
                        })),
                        VIRTUAL_THREADS));
            }
            entered.await();
            for (int i = 0; i < 20; i++) {
                int value = database.with(handle ->
                        handle.createQuery("SELECT 2").mapTo(Integer.class).one());
                assertThat(value).isEqualTo(2);
            }
            assertThat(holding.get()).isEqualTo(connections - connections / 4);
            release.countDown();
            assertThat(background).allSatisfy(each -> assertThat(each.join()).isEqualTo(1));
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
