package dev.parley.node;

import dev.parley.db.Database;
import java.time.Duration;

/** Nodes that send no heartbeats, so that a test decides which one is alive. */
public final class TestNodes {
    private TestNodes() {}

    /** A registered node. The caller closes it. */
    public static NodeLease start(Database database) {
        var node = new NodeLease(database, Duration.ofMinutes(1));
        node.fenced(node.id());
        return node;
    }

    /** Lets a node adopt the work of another, whose lease has expired although the node may still run. */
    public static void takeOver(Database database, NodeLease expired, NodeLease by) {
        database.change(handle -> handle.execute(
                "UPDATE node SET lease_until = '-infinity' WHERE id = ?",
                expired.id().value()));
        by.takeOver();
    }
}
