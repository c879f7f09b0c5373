package dev.parley.engine.restate;

import dev.parley.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One process of a Restate server, alone or in a cluster, that can be killed and started again with its data. */
public final class RestateProcess {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final Pattern LED_PARTITIONS =
            Pattern.compile("restate_num_active_partition_leaders\\{[^}]*} (\\d+)");

    private final Path binary;
    private final Path directory;
    private final String name;
    private final int ingressPort = FreePort.next();
    private final int adminPort = FreePort.next();
    private final int nodePort = FreePort.next();
    private volatile @Nullable Process process;

    /** @param directory for its data, its configuration and its log */
    public RestateProcess(Path binary, Path directory, String name) {
        this.binary = binary;
        this.directory = directory;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /**
     * Writes the configuration. Four partitions cost less than the default of 24 on a small machine.
     *
     * @param cluster all servers; the first one creates the cluster
     * @param replication the number of servers that store each entry of the log
     * @param identity the file of the private key
     */
    public void configure(List<RestateProcess> cluster, int replication, Path identity) throws IOException {
        Files.createDirectories(directory);
        String addresses = cluster.stream()
                .map(server -> "\"http://127.0.0.1:" + server.nodePort + "/\"")
                .collect(Collectors.joining(", "));
        Files.writeString(configuration(), """
                node-name = "%1$s"
                cluster-name = "test"
                auto-provision = %2$s
                default-num-partitions = 4
                default-replication = %3$d
                disable-telemetry = true
                listen-mode = "tcp"
                bind-ip = "127.0.0.1"
                bind-port = %4$d
                advertised-address = "http://127.0.0.1:%4$d/"
                rocksdb-total-memory-size = "256.0 MiB"
                request-identity-private-key-pem-file = "%5$s"
                [metadata-client]
                addresses = [%6$s]
                [admin]
                bind-address = "127.0.0.1:%7$d"
                disable-web-ui = true
                [ingress]
                bind-address = "127.0.0.1:%8$d"
                """.formatted(
                        name,
                        cluster.getFirst() == this,
                        replication,
                        nodePort,
                        identity.toAbsolutePath(),
                        addresses,
                        adminPort,
                        ingressPort));
    }

    private Path configuration() {
        return directory.resolve("restate.toml");
    }

    /** Starts it, also again after it was killed: with its data and on its ports. */
    public synchronized void start() {
        try {
            process = new ProcessBuilder(
                            binary.toString(),
                            "--config-file",
                            configuration().toString(),
                            "--base-dir",
                            directory.resolve("data").toString())
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log() {
        return directory.resolve("restate.log");
    }

    /** Kills it as {@code kill -9} does; what it has stored remains. */
    public synchronized void kill() {
        Process running = process;
        if (running == null) {
            return;
        }
        try {
            running.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until it accepts requests. */
    public void awaitReady() {
        long end = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!isReady()) {
            Process running = process;
            if (running == null || !running.isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("Restate did not start; see " + log());
            }
            LockSupport.parkNanos(50_000_000);
        }
    }

    private boolean isReady() {
        try {
            return status(admin().resolve("/health")) == 200 && status(health()) == 200;
        } catch (IOException _) {
            return false;
        }
    }

    /** The number of partitions that it leads; 0 if it does not reply. */
    public int ledPartitions() {
        URI metrics = URI.create("http://127.0.0.1:" + nodePort + "/metrics");
        try (var response = metrics.toURL().openStream()) {
            Matcher led = LED_PARTITIONS.matcher(new String(response.readAllBytes(), StandardCharsets.UTF_8));
            return led.find() ? Integer.parseInt(led.group(1)) : 0;
        } catch (IOException _) {
            return 0;
        }
    }

    private static int status(URI uri) throws IOException {
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(1_000);
        connection.setReadTimeout(1_000);
        return connection.getResponseCode();
    }

    public URI ingress() {
        return URI.create("http://127.0.0.1:" + ingressPort);
    }

    /** The address that says whether the ingress accepts requests. */
    public URI health() {
        return ingress().resolve("/restate/health");
    }

    public URI admin() {
        return URI.create("http://127.0.0.1:" + adminPort);
    }
}
