package dev.parley.chaos;

import dev.parley.engine.restate.RestateProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Injects faults into each node independently, so that they overlap, or one after the other if Restate runs. */
final class FaultInjector {
    /** A fault of a node, of PostgreSQL or of a server of Restate. */
    enum Fault {
        KILL,
        KILL_WHILE_STARTING,
        SUSPEND_LONG,
        SUSPEND_SHORT,
        KILL_DATABASE,
        KILL_DATABASE_WHILE_STARTING,
        KILL_BACKEND,
        KILL_RESTATE,
        KILL_RESTATE_LEADER,
        UPGRADE,
        DOWNGRADE
    }

    /** The faults of a run on Restate, whose cluster survives the loss of one server at a time. */
    static final List<Fault> IN_TURN =
            List.of(Fault.KILL_RESTATE, Fault.KILL, Fault.KILL_RESTATE_LEADER, Fault.SUSPEND_LONG);

    /** Of a run that ends after a number of faults, or with an upgrade. */
    private static final Duration MAX_LENGTH = Duration.ofDays(1);

    private final Cluster cluster;
    private final ChaosOptions options;
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private final List<String> timeline = new CopyOnWriteArrayList<>();
    private final Map<String, List<Instant>> resumed = new ConcurrentHashMap<>();
    private volatile long end;

    FaultInjector(Cluster cluster, ChaosOptions options) {
        this.cluster = cluster;
        this.options = options;
        Duration length = options.kills() > 0 || options.upgradeFrom() != null ? MAX_LENGTH : options.length();
        this.end = System.nanoTime() + length.toNanos();
    }

    boolean isOver() {
        return System.nanoTime() - end > 0;
    }

    /** Whether it is over for some time. */
    boolean isOverFor(Duration time) {
        return System.nanoTime() - end > time.toNanos();
    }

    /** The faults that were injected in turn, with their times. */
    List<String> timeline() {
        return timeline;
    }

    /** When nodes were resumed after a suspension. */
    Map<String, List<Instant>> resumed() {
        return resumed;
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
                suspendLong(node, random);
            } else {
                count(Fault.SUSPEND_SHORT);
                suspend(node, random.nextLong(options.lease().toMillis() * 9 / 10));
            }
            ChaosClient.pause(500 + random.nextInt(5_000));
        }
    }

    /** Injects one fault after the other, until there were enough or the time is over. */
    void injectInTurn(Random random) throws InterruptedException {
        int target = 0;
        for (int turn = 0; options.kills() > 0 ? turn < options.kills() : !isOver(); turn++) {
            ChaosClient.pause(2_000 + random.nextInt(2_000));
            Fault fault = IN_TURN.get(turn % IN_TURN.size());
            count(fault);
            // Each node and each server has its turn.
            target += turn % IN_TURN.size() == 0 ? 1 : 0;
            ChaosNode node = cluster.nodes().get(target % cluster.nodes().size());
            List<RestateProcess> servers = cluster.restateServers();
            RestateProcess server =
                    fault == Fault.KILL_RESTATE_LEADER ? leader() : servers.get(target % servers.size());
            boolean isOfNode = fault == Fault.KILL || fault == Fault.SUSPEND_LONG;
            String what = fault + " " + (isOfNode ? node.name() : server.name());
            timeline.add(Instant.now() + " " + what);
            switch (fault) {
                case KILL -> {
                    node.kill();
                    ChaosClient.pause(random.nextInt(1_500));
                    restart(node);
                }
                case SUSPEND_LONG -> suspendLong(node, random);
                default -> kill(server, random);
            }
            timeline.add(Instant.now() + " end of " + what);
        }
        end = System.nanoTime();
    }

    /**
     * Replaces one node after the other by one of the next release, goes back, and upgrades again, until the time is over.
     * The new node starts beside the old one, which is mostly stopped and sometimes killed.
     */
    void upgrade(Random random) throws InterruptedException {
        long until = System.nanoTime() + options.length().toNanos();
        int passes = 0;
        boolean isUpgrade = true;
        while (isUpgrade || passes < 3 || System.nanoTime() - until < 0) {
            for (ChaosNode old : List.copyOf(cluster.nodes())) {
                count(isUpgrade ? Fault.UPGRADE : Fault.DOWNGRADE);
                ChaosNode fresh = cluster.add(isUpgrade ? options.next() : options.build());
                timeline.add(Instant.now() + " " + fresh.name() + " replaces " + old.name());
                ChaosClient.pause(random.nextInt(2_000));
                if (random.nextInt(4) == 0) {
                    old.kill();
                } else {
                    old.shutDown();
                }
                cluster.remove(old);
                ChaosClient.pause(random.nextInt(2_000));
            }
            isUpgrade = !isUpgrade;
            passes++;
        }
        end = System.nanoTime();
    }

    /** The server that leads the most partitions. */
    private RestateProcess leader() {
        return cluster.restateServers().stream()
                .max(Comparator.comparingInt(RestateProcess::ledPartitions))
                .orElseThrow();
    }

    private static void kill(RestateProcess server, Random random) throws InterruptedException {
        server.kill();
        ChaosClient.pause(random.nextInt(4_000));
        server.start();
        server.awaitReady();
    }

    void interruptDatabase(Random random) throws InterruptedException, IOException {
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

    /** Longer than its lease. */
    private void suspendLong(ChaosNode node, Random random) throws InterruptedException {
        suspend(node, (long) (options.lease().toMillis() * (1.1 + random.nextDouble())));
    }

    private void suspend(ChaosNode node, long millis) throws InterruptedException {
        node.suspend();
        try {
            ChaosClient.pause(millis);
        } finally {
            resumed.computeIfAbsent(node.name(), _ -> new CopyOnWriteArrayList<>())
                    .add(Instant.now());
            node.resume();
        }
    }
}
