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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Two nodes on one PostgreSQL, with a cluster of Restate or without, or one with its own. Closing it ends all processes. */
final class Cluster implements AutoCloseable {
    static final String EMAIL = "chaos@parley.example";
    static final String PASSWORD = "chaos-" + Long.toHexString(System.nanoTime());

    /** Of the shared PostgreSQL; two runs at once need one each. */
    private static final Path DATABASE = Path.of(
                    System.getProperty("parley.chaos.postgres.directory", "target/chaos-postgres"))
            .toAbsolutePath();

    private final Path logs;
    private final ChaosDatabase database;
    private final @Nullable RestateCluster restate;
    private final List<ChaosNode> nodes;
    private boolean closed;

    private Cluster(Path logs, ChaosDatabase database, @Nullable RestateCluster restate, List<ChaosNode> nodes) {
        this.logs = logs;
        this.database = database;
        this.restate = restate;
        this.nodes = List.copyOf(nodes);
    }

    /** Starts everything, and waits until the nodes are ready. */
    static Cluster start(ChaosOptions options) throws InterruptedException {
        return start(options, Map.of());
    }

    /** @param more additional settings of the nodes */
    static Cluster start(ChaosOptions options, Map<String, String> more) throws InterruptedException {
        Path jar = Path.of("target/quarkus-app/quarkus-run.jar").toAbsolutePath();
        if (!Files.exists(jar)) {
            throw new IllegalStateException("The service is not built: ./parley chaos builds it.");
        }
        try {
            Path logs = Files.createTempDirectory("parley-chaos-");
            ChaosDatabase database =
                    options.embedded() ? new NodeDatabase(data(logs, "A")) : SharedDatabase.start(DATABASE);
            RestateCluster restate = options.restate() ? RestateCluster.start(logs) : null;
            List<ChaosNode> nodes = Stream.of("A", "B")
                    .limit(options.embedded() ? 1 : 2)
                    .map(name -> new ChaosNode(
                            name,
                            jar,
                            logs.resolve("node-" + name + ".log"),
                            options.javaFlags(),
                            settings(options, data(logs, name), database, restate, more)))
                    .toList();
            var cluster = new Cluster(logs, database, restate, nodes);
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(cluster::stop));
            // One after the other: the first one migrates, as in a rolling deployment.
            for (ChaosNode node : cluster.nodes) {
                if (restate != null) {
                    restate.passTo(node);
                }
                node.start();
                if (!node.awaitReady()) {
                    throw new IllegalStateException("Node " + node.name() + " did not start; see " + logs);
                }
            }
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        nodes.forEach(ChaosNode::kill);
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
