package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
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

    @Test
    void anOutageOfWritesEndsForARoleThatMayOnlyWriteRows() {
        String role = "limited_" + System.nanoTime();
        try (Database owner = TestPostgres.migrated()) {
            String url = ((HikariDataSource) owner.dataSource()).getJdbcUrl();
            String name = url.substring(url.lastIndexOf('/') + 1);
            owner.change(handle -> {
                handle.execute("REVOKE ALL ON DATABASE " + name + " FROM PUBLIC");
                handle.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'limited'");
                handle.execute("GRANT CONNECT ON DATABASE " + name + " TO " + role);
                handle.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role);
            });
            try (var limited = new Database(url, role, "limited", 2)) {
                assertThatThrownBy(() -> limited.change(handle -> {
                            handle.execute("SET TRANSACTION READ ONLY");
                            handle.execute("INSERT INTO shared_value (name, value) VALUES ('a', 'b')");
                        }))
                        .hasMessage("The database is read-only right now; nothing was stored.");
                assertThat(limited.outage()).isEmpty();
            }
            assertThat(owner.<Integer>with(
                            handle -> handle.createQuery("SELECT count(*) FROM shared_value WHERE name = 'a'")
                                    .mapTo(Integer.class)
                                    .one()))
                    .isZero();
            owner.change(handle -> {
                handle.execute("DROP OWNED BY " + role);
                handle.execute("DROP ROLE " + role);
            });
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
