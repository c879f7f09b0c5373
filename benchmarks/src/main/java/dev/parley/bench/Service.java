package dev.parley.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The service under test: started by {@code ./parley start} like anybody's, on data and a port of its own. */
final class Service {
    static final String EMAIL = "bench@parley.example";
    static final String PASSWORD = "bench-" + Long.toHexString(System.nanoTime());

    /** Under this name the bench's own connections are known to the database. */
    static final String DRIVER = "parley-bench";

    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    private final Process process;
    private final Path data;
    private final int port;

    private Service(Process process, Path data, int port) {
        this.process = process;
        this.data = data;
        this.port = port;
    }

    /** Starts it and waits until it is ready. */
    static Service start(Path data) {
        return start(data, Map.of());
    }

    /** Starts it with further settings and waits until it is ready. */
    static Service start(Path data, Map<String, String> settings) {
        Service service = launch(data, settings);
        service.awaitOk("/health/ready", "none");
        return service;
    }

    /** Starts it; returns at once. */
    static Service launch(Path data) {
        return launch(data, Map.of());
    }

    private static Service launch(Path data, Map<String, String> settings) {
        try {
            Files.createDirectories(data);
            int port = freePort();
            var builder = new ProcessBuilder(
                    "./parley", "start", "--port", Integer.toString(port), "--data", data + "/service");
            builder.environment().put("PARLEY_DEMO", "false");
            // Endless code ends the sooner, and the next time without such code comes.
            builder.environment().put("PARLEY_CODER_TIME_LIMIT", "5s");
            builder.environment().put("PARLEY_ADMIN_EMAIL", EMAIL);
            builder.environment().put("PARLEY_ADMIN_PASSWORD", PASSWORD);
            builder.environment().keySet().removeAll(List.of("PARLEY_DB_URL", "PARLEY_LLM_BASE_URL", "PARLEY_HOST"));
            builder.environment().putAll(settings);
            builder.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            data.resolve("service.log").toFile()));
            return new Service(Children.start(builder), data, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stop() {
        Children.stop(process);
    }

    /** Asks until the answer is 200: the request goes out every few milliseconds. */
    void awaitOk(String path, String key) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            try {
                var connection =
                        (HttpURLConnection) URI.create(url() + path).toURL().openConnection();
                connection.setRequestProperty("Authorization", "Bearer " + key);
                connection.setConnectTimeout(1_000);
                connection.setReadTimeout(5_000);
                if (connection.getResponseCode() == 200) {
                    connection.getInputStream().readAllBytes();
                    return;
                }
            } catch (IOException e) {
                // Not there yet.
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        throw new BenchException("The service did not start; its log:\n" + log());
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    long pid() {
        return process.pid();
    }

    long databasePid() {
        return Long.parseLong(postmaster(0));
    }

    int databasePort() {
        return Integer.parseInt(postmaster(3));
    }

    String databasePassword() {
        try {
            return Files.readString(postgres().resolve("password")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + databasePort() + "/postgres?user=parley&password=" + databasePassword();
    }

    /** Connections to the service's database, for filling and counting. */
    HikariDataSource dataSource(int connections) {
        // Counting by one process each, so that the whole of its CPU can be told from the service's.
        return pool(
                jdbcUrl() + "&ApplicationName=" + DRIVER + "&options=-c%20max_parallel_workers_per_gather=0",
                connections);
    }

    static HikariDataSource pool(String jdbcUrl, int connections) {
        var config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(connections);
        config.addDataSourceProperty("prepareThreshold", "2");
        return new HikariDataSource(config);
    }

    String log() {
        try {
            List<String> lines = Files.readAllLines(data.resolve("service.log"));
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private Path postgres() {
        return data.resolve("service/postgres");
    }

    private String postmaster(int line) {
        try {
            return Files.readAllLines(postgres().resolve("cluster/postmaster.pid"))
                    .get(line)
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
