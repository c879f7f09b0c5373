package dev.parley.chaos;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** Injects faults into each node independently, so that they overlap. */
final class FaultInjector {
    /** A fault of a node or of PostgreSQL. */
    enum Fault {
        KILL,
        KILL_WHILE_STARTING,
        SUSPEND_LONG,
        SUSPEND_SHORT,
        KILL_DATABASE,
        KILL_DATABASE_WHILE_STARTING,
        KILL_BACKEND
    }

    private final Cluster cluster;
    private final ChaosOptions options;
    private final long end;
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

    FaultInjector(Cluster cluster, ChaosOptions options) {
        this.cluster = cluster;
        this.options = options;
        this.end = System.nanoTime() + options.length().toNanos();
    }

    boolean isOver() {
        return System.nanoTime() - end > 0;
    }

    synchronized Map<Fault, Integer> counts() {
        return new EnumMap<>(counts);
    }

    private synchronized void count(Fault fault) {
        counts.merge(fault, 1, Integer::sum);
    }

    /** Injects faults into a node until the time is over, and leaves it running. */
    void inject(ChaosNode node, Random random) throws InterruptedException {
        ChaosClient.pause(random.nextInt(2_000));
        while (!isOver()) {
            int dice = random.nextInt(100);
            if (dice < 40) {
                count(Fault.KILL);
                node.kill();
                ChaosClient.pause(random.nextInt(1_500));
                restart(node);
            } else if (dice < 55) {
                count(Fault.KILL_WHILE_STARTING);
                node.kill();
                node.start();
                ChaosClient.pause(500 + random.nextInt(4_000));
                node.kill();
                restart(node);
            } else if (dice < 85) {
                count(Fault.SUSPEND_LONG);
                suspend(node, (long) (options.lease().toMillis() * (1.1 + random.nextDouble())));
            } else {
                count(Fault.SUSPEND_SHORT);
                suspend(node, random.nextLong(options.lease().toMillis() * 9 / 10));
            }
            ChaosClient.pause(500 + random.nextInt(5_000));
        }
    }

    void tormentDatabase(Random random) throws InterruptedException, IOException {
        while (true) {
            ChaosClient.pause(15_000 + random.nextInt(30_000));
            if (isOver()) {
                return;
            }
            count(Fault.KILL_DATABASE);
            cluster.database().killServer();
        }
    }

    /** Injects faults into a node with an embedded PostgreSQL, mostly into the latter, and leaves it running. */
    void injectIntoEmbedded(Random random) throws InterruptedException, IOException {
        ChaosDatabase database = cluster.database();
        ChaosNode node = cluster.nodes().getFirst();
        // The first fault of every run is the kind that this form tests.
        for (int dice = 0; ; dice = random.nextInt(100)) {
            ChaosClient.pause(
                    1_000 + random.nextInt(options.length().compareTo(Duration.ofMinutes(1)) < 0 ? 1_000 : 6_000));
            // A service that fails to restart its PostgreSQL exits; a supervisor restarts it.
            if (!node.isAlive() || dice >= 80) {
                count(Fault.KILL);
                node.kill();
                restart(node);
            }
            if (isOver()) {
                return;
            }
            if (dice < 40) {
                count(Fault.KILL_DATABASE);
                database.killServer();
            } else if (dice < 55) {
                count(Fault.KILL_DATABASE_WHILE_STARTING);
                database.killServer();
                ChaosClient.pause(100 + random.nextInt(1_000));
                database.killServer();
            } else if (dice < 80) {
                count(Fault.KILL_BACKEND);
                database.killBackend();
            }
        }
    }

    private static void restart(ChaosNode node) throws InterruptedException {
        node.start();
        while (!node.awaitReady()) {
            // It may have refused to start while PostgreSQL was down; an operator's supervisor tries again.
            node.kill();
            ChaosClient.pause(500);
            node.start();
        }
    }

    private static void suspend(ChaosNode node, long millis) throws InterruptedException {
        node.suspend();
        try {
            ChaosClient.pause(millis);
        } finally {
            node.resume();
        }
    }
}
