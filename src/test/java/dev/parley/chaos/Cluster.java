package dev.parley.chaos;

import dev.parley.SettingsException;
import dev.parley.db.EmbeddedPostgres;
import dev.parley.disk.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Two nodes on one PostgreSQL with a database of its own. Closing it leaves no process behind. */
final class Cluster implements AutoCloseable {
    static final String EMAIL = "chaos@parley.example";
    static final String PASSWORD = "chaos-" + Long.toHexString(System.nanoTime());
    private static final String DATABASE = "chaos";

    private final Path data;
    private final Path logs;
    private final List<Node> nodes;
    private volatile EmbeddedPostgres postgres;
    private boolean closed;

    private Cluster(Path data, Path logs, EmbeddedPostgres postgres, List<Node> nodes) {
        this.data = data;
        this.logs = logs;
        this.postgres = postgres;
        this.nodes = List.copyOf(nodes);
    }

    /** Starts everything, and waits until both nodes answer. */
    static Cluster start(Options options) throws InterruptedException {
        return start(options, Map.of());
    }

    /** @param more settings of both nodes */
    static Cluster start(Options options, Map<String, String> more) throws InterruptedException {
        Path jar = Path.of("target/quarkus-app/quarkus-run.jar").toAbsolutePath();
        if (!Files.exists(jar)) {
            throw new IllegalStateException("The service is not built: ./parley chaos builds it.");
        }
        try {
            Path logs = Files.createTempDirectory("parley-chaos-");
            Path data = Path.of("target", "chaos-postgres").toAbsolutePath();
            EmbeddedPostgres postgres = EmbeddedPostgres.start(data);
            var cluster = new Cluster(data, logs, postgres, nodes(options, jar, logs, postgres, more));
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(cluster::stop));
            cluster.freshDatabase();
            // One after the other: the first migrates, as when a real service is rolled out.
            for (Node node : cluster.nodes) {
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

    private static List<Node> nodes(
            Options options, Path jar, Path logs, EmbeddedPostgres postgres, Map<String, String> more) {
        return Stream.of("A", "B")
                .map(name -> {
                    Map<String, String> settings = new HashMap<>();
                    settings.put("PARLEY_HOST", "127.0.0.1");
                    settings.put("PARLEY_DATA", logs.resolve("data-" + name).toString());
                    settings.put("PARLEY_DB_URL", URI.create(url(postgres)).toString());
                    settings.put("PARLEY_DB_USER", postgres.user());
                    settings.put("PARLEY_DB_PASSWORD", postgres.password());
                    settings.put("PARLEY_SECRET", "the secret of the chaos, long enough for anybody");
                    settings.put("PARLEY_NODE_LEASE", options.lease().toSeconds() + "s");
                    settings.put("PARLEY_ADMIN_EMAIL", EMAIL);
                    settings.put("PARLEY_ADMIN_PASSWORD", PASSWORD);
                    settings.put("PARLEY_LOG_REQUESTS", "errors");
                    settings.put("PARLEY_EGRESS_ALLOW", "127.0.0.1");
                    settings.putAll(more);
                    return new Node(name, jar, logs.resolve("node-" + name + ".log"), settings);
                })
                .toList();
    }

    private static String url(EmbeddedPostgres postgres) {
        String url = postgres.jdbcUrl();
        return url.substring(0, url.lastIndexOf('/') + 1) + DATABASE;
    }

    List<Node> nodes() {
        return nodes;
    }

    Path logs() {
        return logs;
    }

    /** A connection for the reconciliation, which looks past the service. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url(postgres), postgres.user(), postgres.password());
    }

    /** Kills PostgreSQL in the midst of whatever it does, and starts it again where it was. */
    synchronized void restartDatabase() throws IOException, InterruptedException {
        if (closed) {
            return;
        }
        int port = URI.create(postgres.jdbcUrl().substring("jdbc:".length())).getPort();
        long pid = Long.parseLong(Files.readAllLines(data.resolve("cluster/postmaster.pid"))
                .getFirst()
                .strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        for (int attempt = 1; ; attempt++) {
            try {
                postgres = EmbeddedPostgres.start(data, port);
                return;
            } catch (SettingsException e) {
                // Its orphaned backends, which hold the shared memory, end within moments of each other.
                if (attempt == 20) {
                    throw e;
                }
                Client.pause(250);
            }
        }
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
        nodes.forEach(Node::kill);
        postgres.close();
    }

    /** Ends all processes, and deletes the logs of a run that nobody has a question about. */
    void stopAndForget() throws IOException {
        stop();
        Trees.delete(logs);
    }

    private void freshDatabase() {
        try (Connection connection =
                        DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + DATABASE + " WITH (FORCE)");
            statement.execute("CREATE DATABASE " + DATABASE);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
