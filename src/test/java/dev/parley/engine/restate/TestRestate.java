package dev.parley.engine.restate;

import dev.parley.disk.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/** A Restate server from npm for one test class, in an empty directory and on free ports. */
public final class TestRestate implements AutoCloseable {
    private static final Path SOURCES = Path.of("src", "test", "restate");
    private static final Path INSTALLED = Path.of("target", "test-restate");
    private static final String DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(58);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final Path binary;
    private final Path directory;
    private final int ingressPort = freePort();
    private final int adminPort = freePort();
    private final int nodePort = freePort();
    private final KeyPair identity = keyPair();
    private Process process;

    private TestRestate(Path binary, Path directory) {
        this.binary = binary;
        this.directory = directory;
    }

    /** Starts a server; the calling test is skipped if npm cannot install it. */
    public static TestRestate start() {
        Path binary = installed();
        try {
            Path directory = Files.createTempDirectory("parley-restate");
            var server = new TestRestate(binary, directory);
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            server.configure();
            server.run();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static synchronized Path installed() {
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        Path binary = INSTALLED
                .resolve("node_modules/@restatedev/restate-server-linux-" + arch + "/bin/restate-server")
                .toAbsolutePath();
        if (Files.isExecutable(binary)) {
            return binary;
        }
        try {
            Files.createDirectories(INSTALLED);
            for (String name : List.of("package.json", "package-lock.json")) {
                Files.copy(SOURCES.resolve(name), INSTALLED.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
            Process npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                    .directory(INSTALLED.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(INSTALLED.resolve("npm.log").toFile())
                    .start();
            boolean ended = npm.waitFor(3, TimeUnit.MINUTES);
            if (!ended) {
                npm.destroyForcibly();
            }
            Assumptions.assumeTrue(
                    ended && npm.exitValue() == 0 && Files.isExecutable(binary),
                    "npm could not install the Restate server; see " + INSTALLED.resolve("npm.log"));
        } catch (IOException e) {
            Assumptions.abort("npm could not install the Restate server: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return binary;
    }

    static KeyPair keyPair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public key with which the server signs its calls. */
    public String identityKey() {
        return identityKey(identity);
    }

    /** A public key as Restate prints it. */
    static String identityKey(KeyPair pair) {
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] key = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        var text = new StringBuilder();
        for (BigInteger left = new BigInteger(1, key); left.signum() > 0; left = left.divide(BASE)) {
            text.append(DIGITS.charAt(left.mod(BASE).intValue()));
        }
        return "publickeyv1_" + text.reverse();
    }

    /** Kills the server as {@code kill -9} does; what it has stored remains. */
    void kill() {
        try {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts a killed server again, with its data and on its ports. */
    void restart() {
        try {
            run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void configure() throws IOException {
        Path pem = directory.resolve("identity.pem");
        Files.writeString(
                pem,
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(identity.getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        Files.writeString(
                directory.resolve("restate.toml"), """
                node-name = "test"
                cluster-name = "test"
                auto-provision = true
                default-num-partitions = 4
                disable-telemetry = true
                listen-mode = "tcp"
                bind-ip = "127.0.0.1"
                bind-port = %d
                advertised-address = "http://127.0.0.1:%d/"
                rocksdb-total-memory-size = "256.0 MiB"
                request-identity-private-key-pem-file = "%s"
                [admin]
                bind-address = "127.0.0.1:%d"
                disable-web-ui = true
                [ingress]
                bind-address = "127.0.0.1:%d"
                """.formatted(nodePort, nodePort, pem, adminPort, ingressPort));
    }

    private void run() throws IOException {
        process = new ProcessBuilder(
                        binary.toString(),
                        "--config-file",
                        directory.resolve("restate.toml").toString(),
                        "--base-dir",
                        directory.resolve("data").toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("restate.log").toFile()))
                .start();
        Instant deadline = Instant.now().plus(START_TIMEOUT);
        while (!isReady()) {
            if (!process.isAlive() || Instant.now().isAfter(deadline)) {
                throw new IllegalStateException(
                        "Restate did not start:\n" + Files.readString(directory.resolve("restate.log")));
            }
            LockSupport.parkNanos(50_000_000);
        }
    }

    private boolean isReady() {
        try {
            return status(admin().resolve("/health")) == 200 && status(ingress().resolve("/restate/health")) == 200;
        } catch (IOException _) {
            return false;
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

    public URI admin() {
        return URI.create("http://127.0.0.1:" + adminPort);
    }

    public static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            if (System.getProperty("parley.keep-restate") == null) {
                FileTrees.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
