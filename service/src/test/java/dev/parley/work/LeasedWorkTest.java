package dev.parley.work;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.id.NodeId;
import dev.parley.id.OrganizationId;
import dev.parley.node.NodeLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeasedWorkTest {
    private static final WorkSettings SETTINGS =
            new WorkSettings("test", WorkLimits.NONE, Duration.ofMillis(100), Optional.empty(), () -> true);

    private final WorkGroup group = WorkGroup.of(OrganizationId.next());
    private final UUID key = UUID.randomUUID();
    private final Queue<TestWorker> created = new ConcurrentLinkedQueue<>();
    private volatile WorkStep step = _ -> NextRun.NEVER;
    private volatile boolean releases = true;
    private Database database;
    private NodeLease node;
    private @Nullable LeasedWork<UUID, TestWorker> work;

    /** What a worker does in a run. */
    private interface WorkStep {
        NextRun run(int number) throws InterruptedException;
    }

    /** Counts its runs. */
    private final class TestWorker implements KeyWorker {
        final NodeId owner;
        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger concurrent = new AtomicInteger();
        final AtomicInteger mostConcurrent = new AtomicInteger();
        volatile boolean abandoned;
        volatile boolean interrupted;

        TestWorker(NodeId owner) {
            this.owner = owner;
        }

        @Override
        public NextRun run() {
            mostConcurrent.accumulateAndGet(concurrent.incrementAndGet(), Math::max);
            try {
                return step.run(runs.incrementAndGet());
            } catch (InterruptedException _) {
                interrupted = true;
                return NextRun.NEVER;
            } finally {
                concurrent.decrementAndGet();
            }
        }

        @Override
        public boolean release() {
            return releases;
        }

        @Override
        public void abandon() {
            abandoned = true;
        }
    }

    /** Keys in a table. */
    private final class TestStore implements WorkStore<UUID> {
        @Override
        public List<OwnedKey<UUID>> due(NodeId owner) {
            return database.with(handle -> handle.createQuery("SELECT key, version FROM work WHERE node_id = :owner")
                    .bind("owner", owner)
                    .map(row -> new OwnedKey<>(
                            row.getColumn("key", UUID.class), group, row.getColumn("version", Integer.class)))
                    .list());
        }

        @Override
        public void adopt(Handle handle, NodeId from, NodeId to) {
            handle.execute("UPDATE work SET node_id = ? WHERE node_id = ?", to.value(), from.value());
        }
    }

    @BeforeEach
    void aNode() {
        database = TestPostgres.migrated();
        database.change(handle -> handle.execute("CREATE TABLE work (key uuid, node_id uuid, version int)"));
        node = new NodeLease(database, Duration.ofMinutes(1));
        node.fenced(node.id());
    }

    @AfterEach
    void close() {
        if (work != null) {
            work.stop();
        }
        node.close();
        database.close();
    }

    private LeasedWork<UUID, TestWorker> started(WorkSettings settings) {
        var started = new LeasedWork<>(settings, node, new TestStore(), (UUID _, NodeId owner) -> {
            var worker = new TestWorker(owner);
            created.add(worker);
            return worker;
        });
        started.start();
        work = started;
        return started;
    }

    private void store(UUID stored, NodeId owner) {
        database.change(handle -> handle.execute("INSERT INTO work VALUES (?, ?, 1)", stored, owner.value()));
    }

    private TestWorker onlyWorker() {
        assertThat(created).hasSize(1);
        return created.element();
    }

    private static void awaitRuns(TestWorker worker, int count) {
        eventually(worker.runs::get, runs -> runs >= count);
    }

    @Test
    void aWakeUpDuringARunCausesOneMoreAfterIt() throws InterruptedException {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        var running = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        step = _ -> {
            running.countDown();
            mayEnd.await();
            return NextRun.NEVER;
        };
        runtime.wake(key, group);
        running.await();
        for (int i = 0; i < 10; i++) {
            runtime.wake(key, group);
        }
        mayEnd.countDown();
        eventually(() -> runtime.find(key), Optional::isEmpty);
        assertThat(onlyWorker().runs).hasValue(2);
    }

    @Test
    void theRunsOfAKeyDoNotOverlap() throws InterruptedException {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        step = _ -> NextRun.WHEN_WOKEN;
        var wakers = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            Thread.ofVirtual().start(() -> {
                for (int j = 0; j < 2_000; j++) {
                    runtime.wake(key, group);
                }
                wakers.countDown();
            });
        }
        wakers.await();
        int before = onlyWorker().runs.get();
        runtime.wake(key, group);
        awaitRuns(onlyWorker(), before + 1);
        assertThat(onlyWorker().mostConcurrent).hasValue(1);
    }

    @Test
    void aRunThatAsksForAnotherGetsItUntilNothingIsLeft() {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        step = number -> number < 5 ? NextRun.NOW : NextRun.NEVER;
        runtime.wake(key, group);
        eventually(() -> runtime.find(key), Optional::isEmpty);
        assertThat(onlyWorker().runs).hasValue(5);
    }

    @Test
    void aFailedRunIsRetriedAfterABackoff() {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        var times = new ConcurrentLinkedQueue<Long>();
        step = number -> {
            times.add(System.nanoTime());
            return switch (number) {
                case 1 -> throw new IllegalStateException("a failure");
                case 2 -> throw new AssertionError("an error");
                default -> NextRun.NEVER;
            };
        };
        runtime.wake(key, group);
        eventually(() -> runtime.find(key), Optional::isEmpty);
        List<Long> at = List.copyOf(times);
        assertThat(at).hasSize(3);
        assertThat(at.get(1) - at.get(0))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(at.get(2) - at.get(1))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void aWakeUpEndsTheBackoff() {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        step = number -> number == 1 ? NextRun.RETRY : NextRun.NEVER;
        runtime.wake(key, group);
        TestWorker worker = runtime.find(key).orElseThrow();
        awaitRuns(worker, 1);
        runtime.wakeIfPresent(key);
        awaitRuns(worker, 2);
    }

    @Test
    void anIdleKeyIsReleasedUnlessWorkIsLeft() {
        LeasedWork<UUID, TestWorker> runtime = started(new WorkSettings(
                "test", WorkLimits.NONE, SETTINGS.sweepEvery(), Optional.of(Duration.ofMillis(50)), () -> true));
        releases = false;
        step = _ -> NextRun.WHEN_WOKEN;
        runtime.wake(key, group);
        awaitRuns(onlyWorker(), 2);
        assertThat(runtime.find(key)).isPresent();
        releases = true;
        eventually(() -> runtime.find(key), Optional::isEmpty);
        assertThat(onlyWorker().abandoned).isFalse();
    }

    @Test
    void aPinnedWorkerIsKept() {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        LeasedWork<UUID, TestWorker>.PinnedWorker pinned = runtime.pin(key, group);
        pinned.wake();
        awaitRuns(pinned.worker(), 1);
        UUID later = UUID.randomUUID();
        runtime.wake(later, group);
        eventually(() -> runtime.find(later), Optional::isEmpty);
        assertThat(runtime.find(key)).contains(pinned.worker());
        pinned.unpin();
        runtime.wake(key, group);
        eventually(() -> runtime.find(key), Optional::isEmpty);
        assertThat(pinned.worker().runs).hasValue(2);
    }

    @Test
    void aFencedNodeDropsItsWorkersAndContinuesUnderItsNewId() throws InterruptedException {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        NodeId before = node.id();
        var running = new CountDownLatch(1);
        step = _ -> {
            running.countDown();
            new CountDownLatch(1).await();
            return NextRun.NEVER;
        };
        runtime.wake(key, group);
        running.await();
        TestWorker dropped = onlyWorker();
        node.fenced(before);
        assertThat(runtime.find(key)).isEmpty();
        assertThat(dropped.abandoned).isTrue();
        eventually(() -> dropped.interrupted, interrupted -> interrupted);
        step = _ -> NextRun.WHEN_WOKEN;
        runtime.wake(key, group);
        TestWorker next = runtime.find(key).orElseThrow();
        assertThat(next.owner).isEqualTo(node.id()).isNotEqualTo(before);
        awaitRuns(next, 1);
    }

    @Test
    void aWriteThatFindsTheNodeFencedGivesItANewId() {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        NodeId before = node.id();
        step = _ -> NextRun.FENCED;
        runtime.wake(key, group);
        eventually(node::id, id -> !id.equals(before));
        assertThat(runtime.find(key)).isEmpty();
        assertThat(onlyWorker().runs).hasValue(1);
    }

    @Test
    void theSweepFindsKeysWithLostWakeUpsAndWithNewWork() {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        step = _ -> NextRun.WHEN_WOKEN;
        store(key, node.id());
        TestWorker worker =
                eventually(() -> runtime.find(key), Optional::isPresent).orElseThrow();
        awaitRuns(worker, 2); // Created, and then seen with a version for the first time.
        database.change(handle -> handle.execute("UPDATE work SET version = 2"));
        awaitRuns(worker, 3);
        assertThat(onlyWorker()).isEqualTo(worker);
    }

    @Test
    void theKeysOfADeadNodeAreAdopted() {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        NodeId dead = NodeId.next();
        store(key, dead);
        database.change(handle -> runtime.adopt(handle, dead, node.id()));
        runtime.adopted();
        eventually(created::peek, worker -> worker != null && worker.runs.get() > 0);
        assertThat(created.element().owner).isEqualTo(node.id());
    }

    @Test
    void keysBeyondTheLimitAreLeftToTheSweep() {
        var limits = new WorkLimits(1, 1, 1, 1, 1, 1);
        LeasedWork<UUID, TestWorker> runtime =
                started(new WorkSettings("test", limits, SETTINGS.sweepEvery(), Optional.empty(), SETTINGS.mayRun()));
        int count = 20;
        step = _ -> {
            database.change(handle -> handle.execute("DELETE FROM work WHERE key IN (SELECT key FROM work LIMIT 1)"));
            return NextRun.NEVER;
        };
        for (int i = 0; i < count; i++) {
            store(UUID.randomUUID(), node.id());
        }
        eventually(
                () -> database.with(handle -> handle.select("SELECT count(*) FROM work")
                        .mapTo(Integer.class)
                        .one()),
                left -> left == 0);
        assertThat(runtime.find(key)).isEmpty();
    }

    @Test
    void aThrottledRunStartsWhenItMay() {
        var mayRun = new CountDownLatch(3);
        LeasedWork<UUID, TestWorker> runtime =
                started(new WorkSettings("test", WorkLimits.NONE, Duration.ofMinutes(1), Optional.empty(), () -> {
                    mayRun.countDown();
                    return mayRun.getCount() == 0;
                }));
        runtime.wake(key, group);
        awaitRuns(onlyWorker(), 1);
    }

    @Test
    void stoppingWaitsForRunsAndStartsNone() throws InterruptedException {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        var running = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        step = _ -> {
            running.countDown();
            mayEnd.await();
            return NextRun.NOW;
        };
        runtime.wake(key, group);
        running.await();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(runtime::stop);
        eventually(runtime::isStopping, stopping -> stopping);
        assertThat(stopped).isNotDone();
        mayEnd.countDown();
        stopped.join();
        assertThat(onlyWorker().runs).hasValue(1);
        assertThat(onlyWorker().interrupted).isFalse();
    }

    @Test
    void theEndInterruptsRunsThatTakeTooLong() throws InterruptedException {
        LeasedWork<UUID, TestWorker> runtime = started(SETTINGS);
        var running = new CountDownLatch(1);
        step = _ -> {
            running.countDown();
            new CountDownLatch(1).await();
            return NextRun.NEVER;
        };
        runtime.wake(key, group);
        running.await();
        runtime.stop();
        assertThat(onlyWorker().interrupted).isTrue();
    }
}
