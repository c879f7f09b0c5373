package dev.parley.tool;

import dev.parley.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The real {@code @modelcontextprotocol/server-everything} from the npm registry, with a fixed version, installed once
 * per machine under {@code ~/.cache/parley}. Without Node or the registry the tests that need it fail with the reason.
 */
public final class EverythingServer implements AutoCloseable {
    private static final String VERSION = "2026.8.31";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final int port;
    private final Path said;
    private Process process;

    public EverythingServer() {
        this.port = FreePort.next();
        try {
            this.said = Files.createTempFile("everything", ".log");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.process = start();
    }

    public String url() {
        return "http://127.0.0.1:" + port + "/mcp";
    }

    /** The number of requests since its start. */
    public long requests() {
        try (var lines = Files.lines(said)) {
            return lines.filter(line -> line.contains("Received MCP POST request"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command for standard streams, for the operator's setting. */
    public static String command() {
        return node() + " " + script() + " stdio";
    }

    /** Kills it at once. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Restarts it at the same address, without its sessions. */
    public void restart() {
        kill();
        process = start();
    }

    @Override
    public void close() {
        kill();
        try {
            Files.delete(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process start() {
        try {
            var builder = new ProcessBuilder(node(), script().toString(), "streamableHttp")
                    .redirectOutput(said.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("PORT", Integer.toString(port));
            Process started = builder.start();
            awaitPort(started);
            return started;
        } catch (IOException e) {
            throw new AssertionError("Node.js is needed for the tests of MCP servers: " + e.getMessage(), e);
        }
    }

    private void awaitPort(Process started) {
        Instant deadline = Instant.now().plus(TIMEOUT);
        while (Instant.now().isBefore(deadline) && started.isAlive()) {
            try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException _) {
                LockSupport.parkNanos(50_000_000);
            }
        }
        throw new AssertionError("server-everything did not start");
    }

    private static synchronized Path script() {
        Path folder = Path.of(System.getProperty("user.home"), ".cache", "parley", "server-everything-" + VERSION);
        Path script = folder.resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
        Path done = folder.resolve("installed");
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock _ = channel.lock()) {
                if (!Files.exists(done)) {
                    install(folder);
                    Files.writeString(done, VERSION);
                }
            }
            return script;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void install(Path folder) throws IOException {
        Path log = folder.resolve("npm.log");
        Process npm = new ProcessBuilder(
                        "npm",
                        "install",
                        "--no-audit",
                        "--no-fund",
                        "--ignore-scripts",
                        "--prefix",
                        folder.toString(),
                        "@modelcontextprotocol/server-everything@" + VERSION)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!npm.waitFor(5, TimeUnit.MINUTES) || npm.exitValue() != 0) {
                npm.destroyForcibly();
                throw new AssertionError("The npm registry did not give @modelcontextprotocol/server-everything@"
                        + VERSION + ", which the tests of MCP servers need: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String node() {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            Path node = Path.of(folder, "node");
            if (Files.isExecutable(node)) {
                return node.toString();
            }
        }
        throw new AssertionError("Node.js is needed for the tests of MCP servers, and is not on the PATH.");
    }
}
