package dev.parley.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.id.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeLeaseTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final List<String> adoptions = Collections.synchronizedList(new ArrayList<>());
    private final List<NodeId> forgotten = Collections.synchronizedList(new ArrayList<>());
    private final List<NodeLease> nodes = new ArrayList<>();
    private Database database;

    @BeforeEach
    void aDatabase() {
        database = TestPostgres.migrated();
    }

    @AfterEach
    void close() {
        nodes.forEach(NodeLease::close);
        database.close();
    }

    @Test
    void oneNodeAdoptsADeadNodesWork() throws Exception {
        NodeId dead = expired(node().id());
        List<NodeLease> others = List.of(node(), node(), node(), node());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> takers = new ArrayList<>();
            others.forEach(one -> takers.add(threads.submit(one::takeOver)));
            for (Future<?> taker : takers) {
                taker.get();
            }
        }
        assertThat(adoptions).hasSize(1).first().asString().startsWith(dead.text());
        assertThat(exists(dead)).isFalse();
    }

    @Test
    void aNodeWithAnExpiredLeaseAdoptsNothing() {
        for (int i = 0; i < 4; i++) { // Covers both orders of the ids.
            NodeLease taker = node();
            NodeId dead = expired(node().id());
            delete(taker.id());
            taker.takeOver();
            assertThat(exists(dead)).isTrue();
            delete(dead);
        }
        assertThat(adoptions).isEmpty();
    }

    @Test
    void twoNodesThatFenceEachOtherLeaveOneAlive() throws Exception {
        NodeLease left = node();
        NodeLease right = node();
        expired(left.id());
        expired(right.id());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> one = threads.submit(left::takeOver);
            Future<?> other = threads.submit(right::takeOver);
            one.get();
            other.get();
        }
        assertThat(adoptions).hasSize(1);
        assertThat(List.of(exists(left.id()), exists(right.id()))).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void aFencedNodeDropsItsWorkAndContinuesUnderANewId() {
        NodeLease node = node();
        NodeId before = node.id();
        delete(before);
        node.heartbeat();
        assertThat(node.id()).isNotEqualTo(before);
        assertThat(exists(node.id())).isTrue();
        assertThat(forgotten).contains(before);
        NodeId now = node.id();
        node.fenced(before);
        assertThat(node.id())
                .as("a late write of an old id does not fence the new one")
                .isEqualTo(now);
    }

    @Test
    void theHeartbeatDoesNotWaitBehindRequests() throws Exception {
        NodeLease node = node();
        expired(node.id());
        var release = new CountDownLatch(1);
        var busy = new CountDownLatch(8);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                var _ = threads.submit(() -> database.with(handle -> hold(handle, busy, release)));
            }
            busy.await();
            node.heartbeat();
            assertThat(node.isHeld()).isTrue();
            release.countDown();
        }
        assertThat(leaseOf(node.id())).isAfter(Instant.now());
    }

    private static boolean hold(Handle handle, CountDownLatch busy, CountDownLatch release) {
        handle.execute("SELECT 1");
        busy.countDown();
        try {
            release.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** A registered node of this process. */
    private NodeLease node() {
        var node = new NodeLease(database, LEASE);
        node.add(new Recorder());
        nodes.add(node);
        node.fenced(node.id());
        return node;
    }

    private NodeId expired(NodeId node) {
        database.change(handle ->
                handle.execute("UPDATE node SET lease_until = now() - interval '1 s' WHERE id = ?", node.value()));
        return node;
    }

    private void delete(NodeId node) {
        database.change(handle -> handle.execute("DELETE FROM node WHERE id = ?", node.value()));
    }

    private boolean exists(NodeId node) {
        return database.with(handle -> handle.select("SELECT 1 FROM node WHERE id = ?", node.value())
                .mapTo(Integer.class)
                .findOne()
                .isPresent());
    }

    private Instant leaseOf(NodeId node) {
        return database.with(handle -> handle.select("SELECT lease_until FROM node WHERE id = ?", node.value())
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant());
    }

    /** Records the calls that it receives. */
    private final class Recorder implements NodeWork {
        @Override
        public void adopt(Handle handle, NodeId from, NodeId to) {
            adoptions.add(from.text() + " to " + to.text());
        }

        @Override
        public void adopted() {}

        @Override
        public void abandon(NodeId was) {
            forgotten.add(was);
        }
    }
}
