package dev.parley.node;

import dev.parley.Settings;
import dev.parley.db.Database;
import dev.parley.id.NodeId;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * This node's right to do work: one row with a lease that a heartbeat renews. When the lease of a node ran out, another
 * deletes its row and takes its work over, in one transaction.
 *
 * <p><b>Fencing.</b> Every write of a node's work begins with {@link #FENCE}, which locks the node's row FOR KEY SHARE
 * and finds nothing once the row is deleted. The deletion waits for writes that hold the lock, and later ones find no
 * row: a node that was suspended and wakes up cannot write over its successor. The heartbeat's update does not conflict
 * with that lock. A node that finds itself fenced forgets its work and goes on under a new id.
 */
@Singleton
public final class NodeLease {
    /** The head of a statement that only a living node may run: one parameter, the node's id; join {@code fence}. */
    public static final String FENCE = "WITH fence AS MATERIALIZED (SELECT 1 FROM node WHERE id = ? FOR KEY SHARE)";

    /** Set by the entry point when this process holds the lock of the data directory, so that no other node lives. */
    public static final String ONLY_NODE = "parley.only-node";

    private static final Logger LOG = Logger.getLogger(NodeLease.class);

    private final Database database;
    private final Instance<NodeWork> work;
    private final Duration lease;
    private final ScheduledExecutorService heartbeat = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("node-heartbeat").factory());
    private volatile NodeId id = NodeId.next();
    private volatile long heldUntil = System.nanoTime();

    public NodeLease(Database database, Settings settings, @Any Instance<NodeWork> work) {
        this.database = database;
        this.work = work;
        this.lease = settings.nodeLease();
    }

    /** The id under which this process works now. */
    public NodeId id() {
        return id;
    }

    /** Whether the lease, as far as this process knows, still runs: other nodes leave its work alone. */
    public boolean isHeld() {
        return System.nanoTime() - heldUntil < 0;
    }

    void start(@Observes @Priority(10) StartupEvent event) {
        if (Boolean.getBoolean(ONLY_NODE)) {
            database.change(handle -> handle.execute("UPDATE node SET lease_until = '-infinity'"));
        }
        register();
        takeOver();
        long period = Math.max(200, lease.toMillis() / 5);
        var _ = heartbeat.scheduleWithFixedDelay(this::beat, period, period, TimeUnit.MILLISECONDS);
    }

    /** Ends the lease at once, so that another node, or the next start, takes over without waiting. */
    void stop(@Observes @Priority(1_000_000) ShutdownEvent event) {
        heartbeat.shutdownNow();
        heldUntil = System.nanoTime();
        try {
            database.change(
                    handle -> handle.execute("UPDATE node SET lease_until = '-infinity' WHERE id = ?", id.value()));
        } catch (RuntimeException e) {
            LOG.debug("The lease was not given back; it runs out by itself", e);
        }
    }

    /** Called when a write found no fence row: the node starts anew under another id. */
    public synchronized void fenced(NodeId whoWas) {
        if (!whoWas.equals(id)) {
            return;
        }
        LOG.warnf("Node %s was fenced: another node has its work; it goes on under a new id", id);
        work.forEach(NodeWork::forget);
        id = NodeId.next();
        register();
    }

    private void register() {
        long asked = System.nanoTime();
        String name = ProcessHandle.current().pid() + "@" + System.getenv().getOrDefault("HOSTNAME", "localhost");
        database.change(handle -> handle.execute(
                "INSERT INTO node (id, name, lease_until) VALUES (?, ?, now() + ? * interval '1 millisecond')",
                id.value(),
                name,
                lease.toMillis()));
        heldUntil = asked + lease.toNanos();
    }

    private void beat() {
        try {
            NodeId mine = id;
            long asked = System.nanoTime();
            int renewed = database.with(handle -> handle.execute(
                    "UPDATE node SET lease_until = now() + ? * interval '1 millisecond' WHERE id = ?",
                    lease.toMillis(),
                    mine.value()));
            if (renewed == 0) {
                fenced(mine);
            } else {
                heldUntil = asked + lease.toNanos();
            }
            takeOver();
        } catch (RuntimeException e) {
            LOG.warnf("The heartbeat failed: %s", e.getMessage());
        }
    }

    private void takeOver() {
        NodeId mine = id;
        List<UUID> dead = database.with(
                handle -> handle.createQuery("SELECT id FROM node WHERE lease_until < now() AND id <> :mine")
                        .bind("mine", mine)
                        .mapTo(UUID.class)
                        .list());
        for (UUID node : dead) {
            boolean taken = database.transaction(handle -> {
                if (handle.execute("DELETE FROM node WHERE id = ? AND lease_until < now()", node) == 0) {
                    return false;
                }
                work.forEach(kind -> kind.adopt(handle, new NodeId(node), mine));
                return true;
            });
            if (taken) {
                LOG.infof("Took over the work of node %s", new NodeId(node));
                work.forEach(NodeWork::adopted);
            }
        }
    }
}
