package dev.parley.chaos;

import dev.parley.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One process of the built service that can be killed, suspended and restarted, always on the same port. */
final class ChaosNode {
    /** The JVM flags of {@code ./parley start}. */
    private static final List<String> JAVA_FLAGS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Xms64m",
            "-Xmx224m",
            "-Xss512k",
            "-XX:MaxDirectMemorySize=64m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:ReservedCodeCacheSize=64m",
            "-Dvertx.disableDnsResolver=true");

    /** A backup of any size needs no more memory. */
    private static final List<String> COMMAND_FLAGS =
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx64m", "-XX:+ExitOnOutOfMemoryError");

    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final String name;
    private final int port;
    private final ChaosBuild build;
    private final Path log;
    private final List<String> moreFlags;
    private final Map<String, String> settings;
    private volatile @Nullable Process process;

    ChaosNode(String name, ChaosBuild build, Path log, List<String> moreFlags, Map<String, String> settings) {
        this.name = name;
        this.build = build;
        this.log = log;
        this.moreFlags = List.copyOf(moreFlags);
        this.settings = Map.copyOf(settings);
        this.port = FreePort.next();
    }

    /** Another process with the same data and further settings. */
    ChaosNode with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new ChaosNode(name, build, log, moreFlags, all);
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    /** The value of a setting that it was created with. */
    String setting(String name) {
        return settings.getOrDefault(name, "");
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** Its log so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    synchronized void start() {
        try {
            process = builder(JAVA_FLAGS, List.of())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command of the launcher with the node's settings, and returns its status and output. */
    String run(String... arguments) throws IOException, InterruptedException {
        Process command = builder(COMMAND_FLAGS, List.of(arguments))
                .redirectErrorStream(true)
                .start();
        String output = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return command.waitFor() + "\n" + output;
    }

    private ProcessBuilder builder(List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(moreFlags);
        command.addAll(build.arguments());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(setting -> setting.startsWith("PARLEY_"));
        builder.environment().putAll(settings);
        builder.environment().put("PARLEY_PORT", Integer.toString(port));
        // A chat model sees which node calls it.
        builder.environment().put("PARLEY_LLM_API_KEY", name);
        return builder;
    }

    /** Like {@code kill -9}. */
    synchronized void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            try {
                running.waitFor();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Stops it like a service manager, and waits for its clean exit. */
    void shutDown() throws InterruptedException {
        Process running = process;
        boolean wasAlive = isAlive();
        signal("TERM");
        if (running != null && running.waitFor() != 0 && wasAlive) {
            throw new AssertionError("Node " + name + " exited with status " + running.exitValue() + " on SIGTERM");
        }
    }

    boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** Waits until it exits by itself; empty if it does not. */
    OptionalInt awaitExit(Duration limit) throws InterruptedException {
        Process running = process;
        return running != null && running.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(running.exitValue())
                : OptionalInt.empty();
    }

    void suspend() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    /** Whether it becomes ready; false if it exited. */
    boolean awaitReady() throws InterruptedException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            Process running = process;
            if (running == null || !running.isAlive()) {
                return false;
            }
            if (isReady()) {
                return true;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return false;
    }

    boolean isReady() {
        try {
            var connection = (HttpURLConnection) at("/health/ready").toURL().openConnection();
            connection.setConnectTimeout(1_000);
            connection.setReadTimeout(2_000);
            return connection.getResponseCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    private synchronized void signal(String signal) {
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(running.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
