package dev.parley.node;

import dev.parley.db.Database;
import dev.parley.db.Migrations;
import dev.parley.id.NodeId;
import dev.parley.settings.Settings;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.logging.Logger;
import org.jdbi.v3.core.Handle;

/**
 * This node's membership: a row with a lease that a heartbeat renews, and whose work another node adopts once the lease
 * has expired. Every write of a node's work begins with {@link #FENCE}, which finds nothing once the node's row is
 * deleted, so a node that was suspended cannot overwrite its successor's work (docs/decisions/0041). A fenced node drops its work
 * and continues under a new id.
 */
@Singleton
public final class NodeLease implements AutoCloseable {
    /** The start of a statement that only a live node may run. One parameter, the node's id; join {@code fence}. */
    public static final String FENCE = "WITH fence AS MATERIALIZED (SELECT 1 FROM node WHERE id = ? FOR KEY SHARE)";

    /** Same with the named parameter {@code node}; the fence has the id. */
    public static final String NAMED_FENCE =
            "WITH fence AS MATERIALIZED (SELECT id FROM node WHERE id = :node FOR KEY SHARE)";

    /** Set by the entry point when this process holds the lock of the data directory, so that no other node exists. */
    public static final String ONLY_NODE = "parley.only-node";

    private static final Logger LOG = Logger.getLogger(NodeLease.class);

    private final Database database;
    private final List<NodeWork> work = new CopyOnWriteArrayList<>();
    private final Duration lease;
    private final boolean standby;
    private final NodeVersion version;
    private final Ticker heartbeat = new Ticker("node-heartbeat");

    /** Separate from the heartbeat, which must not wait for a takeover. */
    private final Ticker takeOver = new Ticker("node-takeover");

    private volatile NodeId id = NodeId.next();
    private volatile long heldUntil = System.nanoTime();

    @Inject
    public NodeLease(Database database, Settings.Engines settings, NodeVersion version) {
        this(database, settings.nodeLease(), settings.standby(), version);
    }

    public NodeLease(Database database, Duration lease) {
        this(database, lease, false, new NodeVersion("0.0.0", Migrations.OLDEST_SCHEMA));
    }

    /** Uses its own connections: a heartbeat queued behind requests would lose the lease under load. */
    private NodeLease(Database database, Duration lease, boolean standby, NodeVersion version) {
        this.database = database.reserve("lease", 2);
        this.lease = lease;
        this.standby = standby;
        this.version = version;
    }

    /** Adds work that is adopted from dead nodes; called before the start. */
    public void add(NodeWork kind) {
        work.add(kind);
    }

    /** The current id of this process. */
    public NodeId id() {
        return id;
    }

    /** Whether this process knows that its lease is valid, so that no other node adopts its work. */
    public boolean isHeld() {
        return standby || System.nanoTime() - heldUntil < 0;
    }

    /** Whether this process runs no work. It has no row then, so it can neither own work nor write its results. */
    public boolean isStandby() {
        return standby;
    }

    void start(@Observes @Priority(10) StartupEvent event) {
        if (standby) {
            LOG.warn("Standby: this service serves reads only, and runs and sends nothing");
            return;
        }
        if (Boolean.getBoolean(ONLY_NODE)) {
            database.change(handle -> handle.execute("UPDATE node SET lease_until = '-infinity'"));
        }
        register(id);
        takeOver();
        Duration period = Duration.ofMillis(Math.max(200, lease.toMillis() / 5));
        heartbeat.every(period, this::heartbeat);
        takeOver.every(period, this::takeOver);
    }

    /** Ends the lease at once, so that another node, or the next start, takes over without waiting. */
    void stop(@Observes @Priority(1_000_000) ShutdownEvent event) {
        heartbeat.close();
        takeOver.close();
        heldUntil = System.nanoTime();
        try {
            database.change(
                    handle -> handle.execute("UPDATE node SET lease_until = '-infinity' WHERE id = ?", id.value()));
        } catch (RuntimeException e) {
            LOG.debug("The lease was not released; it will expire", e);
        }
    }

    @Override
    @PreDestroy
    public void close() {
        database.close();
    }

    /**
     * Called when a write found no fence row: the node continues under another id. The id becomes visible only when its
     * row exists; until then writes fail to find the old row, and are retried or rejected.
     */
    public synchronized void fenced(NodeId fencedNode) {
        if (standby || !fencedNode.equals(id)) {
            return;
        }
        LOG.warnf("Node %s was fenced: another node has its work. Continuing under a new id", fencedNode);
        NodeId fresh = NodeId.next();
        register(fresh);
        id = fresh;
        work.forEach(kind -> kind.abandon(fencedNode));
    }

    /** Inserts the id's row, unless a request before the start has already done so. */
    private void register(NodeId fresh) {
        long startedAt = System.nanoTime();
        String name = ProcessHandle.current().pid() + "@" + System.getenv().getOrDefault("HOSTNAME", "localhost");
        database.change(handle ->
                handle.execute("""
                INSERT INTO node (id, name, lease_until, version, schema_version)
                VALUES (?, ?, now() + ? * interval '1 millisecond', ?, ?)
                ON CONFLICT (id) DO NOTHING
                """, fresh.value(), name, lease.toMillis(), version.version(), version.schema()));
        heldUntil = startedAt + lease.toNanos();
    }

    void heartbeat() {
        try {
            NodeId self = id;
            long startedAt = System.nanoTime();
            int renewed = database.with(handle -> handle.execute(
                    "UPDATE node SET lease_until = now() + ? * interval '1 millisecond' WHERE id = ?",
                    lease.toMillis(),
                    self.value()));
            if (renewed == 0) {
                fenced(self);
            } else {
                heldUntil = startedAt + lease.toNanos();
            }
        } catch (RuntimeException e) {
            LOG.warnf("The heartbeat failed: %s", e.getMessage());
        }
    }

    void takeOver() {
        NodeId self = id;
        List<UUID> dead =
                database.with(handle -> handle.select("SELECT id FROM node WHERE lease_until < now() AND id <> ?", self)
                        .mapTo(UUID.class)
                        .list());
        for (UUID node : dead) {
            boolean tookOver;
            try {
                tookOver = database.transaction(handle -> adoptFrom(handle, self, node));
            } catch (SelfFencedException _) {
                return; // The next heartbeat finds it too.
            }
            if (tookOver) {
                LOG.infof("Took over the work of node %s", new NodeId(node));
                work.forEach(NodeWork::adopted);
            }
        }
    }

    /**
     * Fences a dead node and adopts its work, unless this node is dead itself, for example after a suspension: work
     * adopted then would have no owner. Locks both rows in id order, so that two nodes that consider each other dead do
     * not deadlock.
     */
    private boolean adoptFrom(Handle handle, NodeId self, UUID dead) {
        boolean first = self.value().compareTo(dead) < 0;
        if (first) {
            requireAlive(handle, self);
        }
        if (handle.execute("DELETE FROM node WHERE id = ? AND lease_until < now()", dead) == 0) {
            return false;
        }
        if (!first) {
            requireAlive(handle, self);
        }
        work.forEach(kind -> kind.adopt(handle, new NodeId(dead), self));
        return true;
    }

    private static void requireAlive(Handle handle, NodeId node) {
        boolean _ = handle.select("SELECT true FROM node WHERE id = ? FOR KEY SHARE", node)
                .mapTo(Boolean.class)
                .findOne()
                .orElseThrow(SelfFencedException::new);
    }

    /** Rolls back a takeover. */
    private static final class SelfFencedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
