package dev.parley.chaos;

import dev.parley.disk.FileTrees;
import dev.parley.engine.restate.RestateProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Two nodes on one PostgreSQL, with a cluster of Restate or without, or one with its own. Closing it ends all processes. */
final class Cluster implements AutoCloseable {
    static final String EMAIL = "chaos@parley.example";
    static final String PASSWORD = "chaos-" + Long.toHexString(System.nanoTime());

    /** Of the shared PostgreSQL; two runs at once need one each. */
    private static final Path DATABASE = Path.of(
                    System.getProperty("parley.chaos.postgres.directory", "target/chaos-postgres"))
            .toAbsolutePath();

    private final ChaosOptions options;
    private final Path logs;
    private final ChaosDatabase database;
    private final @Nullable RestateCluster restate;
    private final Map<String, String> more;

    /** Those that clients use. */
    private final List<ChaosNode> nodes = new CopyOnWriteArrayList<>();

    private final List<ChaosNode> all = new CopyOnWriteArrayList<>();
    private int started;
    private boolean closed;

    private Cluster(
            ChaosOptions options,
            Path logs,
            ChaosDatabase database,
            @Nullable RestateCluster restate,
            Map<String, String> more) {
        this.options = options;
        this.logs = logs;
        this.database = database;
        this.restate = restate;
        this.more = Map.copyOf(more);
    }

    /** Starts everything, and waits until the nodes are ready. */
    static Cluster start(ChaosOptions options) throws InterruptedException {
        return start(options, Map.of());
    }

    /** @param more additional settings of the nodes */
    static Cluster start(ChaosOptions options, Map<String, String> more) throws InterruptedException {
        return start(options, more, _ -> {});
    }

    /** @param prepare fills the database before the first node starts */
    static Cluster start(ChaosOptions options, Map<String, String> more, Consumer<ChaosDatabase> prepare)
            throws InterruptedException {
        try {
            Path logs = Files.createTempDirectory("parley-chaos-");
            ChaosDatabase database =
                    options.embedded() ? new NodeDatabase(data(logs, "A")) : SharedDatabase.start(DATABASE);
            prepare.accept(database);
            RestateCluster restate = options.restate() ? RestateCluster.start(logs) : null;
            var cluster = new Cluster(options, logs, database, restate, more);
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(cluster::stop));
            // One after the other: the first one migrates, as in a rolling deployment.
            for (int i = 0; i < (options.embedded() ? 1 : 2); i++) {
                var _ = cluster.add(options.build());
            }
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one more node, and waits until it is ready. Clients use it from then on. */
    ChaosNode add(ChaosBuild build) throws InterruptedException {
        String name = Character.toString('A' + started++);
        var node = new ChaosNode(
                name,
                build,
                logs.resolve("node-" + name + ".log"),
                options.javaFlags(),
                settings(options, data(logs, name), database, restate, more));
        if (restate != null) {
            restate.passTo(node);
        }
        all.add(node);
        node.start();
        if (!node.awaitReady()) {
            throw new IllegalStateException("Node " + name + " did not start; see " + logs);
        }
        nodes.add(node);
        return node;
    }

    /** Keeps clients from a node, as a load balancer does. */
    void remove(ChaosNode node) {
        nodes.remove(node);
    }

    private static Path data(Path logs, String node) {
        return logs.resolve("data-" + node);
    }

    private static Map<String, String> settings(
            ChaosOptions options,
            Path data,
            ChaosDatabase database,
            @Nullable RestateCluster restate,
            Map<String, String> more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("PARLEY_HOST", "127.0.0.1");
        settings.put("PARLEY_DATA", data.toString());
        settings.put("PARLEY_FILES", data.resolveSibling("files").toString());
        settings.put("PARLEY_SECRET", "the secret of the chaos, long enough for anybody");
        settings.put("PARLEY_NODE_LEASE", options.lease().toSeconds() + "s");
        settings.put("PARLEY_ADMIN_EMAIL", EMAIL);
        settings.put("PARLEY_ADMIN_PASSWORD", PASSWORD);
        settings.put("PARLEY_LOG_REQUESTS", "errors");
        settings.put("PARLEY_EGRESS_ALLOW", "127.0.0.1");
        settings.putAll(database.settings());
        if (restate != null) {
            settings.putAll(restate.settings());
        }
        settings.putAll(more);
        return settings;
    }

    /** The servers of Restate, if they run the instances. */
    List<RestateProcess> restateServers() {
        return restate == null ? List.of() : restate.servers();
    }

    ChaosDatabase database() {
        return database;
    }

    /** Those that clients use, now and later. */
    List<ChaosNode> nodes() {
        return nodes;
    }

    Path logs() {
        return logs;
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends all processes. */
    synchronized void stop() {
        if (closed) {
            return;
        }
        closed = true;
        all.forEach(ChaosNode::kill);
        if (restate != null) {
            restate.close();
        }
        database.close();
    }

    /** Ends all processes, and deletes the logs of a successful run. */
    void stopAndForget() throws IOException {
        stop();
        FileTrees.delete(logs);
    }
}
