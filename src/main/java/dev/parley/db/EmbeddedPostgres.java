package dev.parley.db;

import dev.parley.SettingsException;
import dev.parley.disk.Trees;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL from the jar, with its data under a directory, for the time that this process lives. The kernel stops it
 * when the process ends in whatever way ({@code setpriv --pdeathsig}), so that a killed service leaves nothing
 * running; it commits with fsync like any other PostgreSQL. Running as root, which PostgreSQL refuses, it is put into
 * a user namespace, or under the user {@code nobody} where the system has none.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    /** A new segment is filled with zeros while every commit waits for it, which 16 MB make felt. */
    private static final int WAL_SEGMENT_MB = 2;

    private static final String USER = "parley";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Path directory;
    private final Process process;
    private final String jdbcUrl;
    private final String password;

    private EmbeddedPostgres(Path directory, Process process, int port, String password) {
        this.directory = directory;
        this.process = process;
        this.jdbcUrl = url(port);
        this.password = password;
    }

    /** Starts it, and makes the cluster first where the directory has none. Takes under a second on existing data. */
    public static EmbeddedPostgres start(Path directory) {
        return start(directory, 0);
    }

    /** The same on a port that is given, as when it is started again under clients that know its address. */
    public static EmbeddedPostgres start(Path directory, int port) {
        try {
            Files.createDirectories(directory);
            Path binaries = unpack(directory);
            Path cluster = directory.resolve("cluster");
            Path passwordFile = directory.resolve("password");
            if (!Files.exists(cluster.resolve("PG_VERSION"))) {
                initialize(directory, binaries, cluster, passwordFile);
            }
            stopLeftover(cluster);
            deleteOthers(directory, binaries);
            return run(
                    directory,
                    binaries,
                    cluster,
                    Files.readString(passwordFile).strip(),
                    port == 0 ? freePort() : port);
        } catch (IOException e) {
            throw new SettingsException(
                    "The embedded PostgreSQL cannot use " + directory + ": " + e.getMessage() + ".");
        }
    }

    public String jdbcUrl() {
        return jdbcUrl;
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /** Stops it with a checkpoint, so that the next start is quick. */
    @Override
    public void close() {
        signal(process.pid(), "INT");
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Unpacks beside the data, under a name that the archive's size is part of, so that an upgrade does not use old binaries. */
    private static Path unpack(Path directory) throws IOException {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT).contains("aarch64") ? "arm_64" : "x86_64";
        String resource = "/postgres-linux-" + arch + ".txz";
        try (InputStream found = EmbeddedPostgres.class.getResourceAsStream(resource)) {
            if (found == null) {
                throw new SettingsException("There is no embedded PostgreSQL for this machine: set PARLEY_DB_URL.");
            }
            Path target = directory.resolve("binaries-" + arch + "-" + Integer.toHexString(found.available()));
            if (Files.exists(target.resolve("bin/postgres"))) {
                return target;
            }
            Path partial = Files.createTempDirectory(directory, "unpacking");
            Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rwxr-xr-x"));
            extract(found, partial);
            Files.move(partial, target);
            return target;
        }
    }

    /** Binaries of earlier releases, and those that a killed start did not unpack wholly. */
    private static void deleteOthers(Path directory, Path binaries) throws IOException {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(directory, "{binaries-*,unpacking*}")) {
            for (Path other : others) {
                if (!other.equals(binaries)) {
                    Trees.delete(other);
                }
            }
        }
    }

    private static void extract(InputStream archive, Path target) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new IOException("an archive entry leaves its directory");
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                    continue;
                }
                Files.createDirectories(path.getParent());
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else {
                    Files.copy(tar, path);
                    boolean executable = (entry.getMode() & 0100) != 0;
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
        }
    }

    private static void initialize(Path directory, Path binaries, Path cluster, Path passwordFile) throws IOException {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        Files.deleteIfExists(passwordFile);
        Files.createFile(
                passwordFile, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile, HexFormat.of().formatHex(random));
        // A cluster that was only half made, because the process was killed meanwhile, is made again.
        Path fresh = directory.resolve("cluster-new");
        Trees.delete(fresh);
        Files.createDirectory(
                fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        List<String> command = new ArrayList<>(unprivileged(directory));
        command.addAll(List.of(
                binaries.resolve("bin/initdb").toString(),
                "--pgdata=" + fresh,
                "--username=" + USER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--wal-segsize=" + WAL_SEGMENT_MB,
                "--no-instructions"));
        Path log = directory.resolve("initdb.log");
        Process initdb = builder(command, log).start();
        try {
            if (initdb.waitFor() != 0) {
                throw new SettingsException("The embedded PostgreSQL could not be set up; " + log + " says why.");
            }
        } catch (InterruptedException e) {
            initdb.destroyForcibly();
            throw new IOException("interrupted", e);
        }
        Files.move(fresh, cluster);
    }

    private static EmbeddedPostgres run(Path directory, Path binaries, Path cluster, String password, int port)
            throws IOException {
        List<String> command = new ArrayList<>(unprivileged(directory));
        if (onPath("setsid")) {
            // Ctrl-C goes to everything that the terminal runs: PostgreSQL stays until the service is done with it.
            command.add("setsid");
        }
        if (onPath("setpriv")) {
            command.addAll(List.of("setpriv", "--pdeathsig", "INT"));
        }
        command.addAll(List.of(binaries.resolve("bin/postgres").toString(), "-D", cluster.toString()));
        for (String option : List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "max_connections=140",
                "shared_buffers=64MB",
                "max_wal_size=1GB",
                "min_wal_size=512MB",
                "wal_level=minimal",
                "max_wal_senders=0",
                "checkpoint_timeout=15min",
                "jit=off",
                "logging_collector=off",
                "log_timezone=UTC",
                "timezone=UTC")) {
            command.addAll(List.of("-c", option));
        }
        Path log = directory.resolve("postgres.log");
        Process process = startFromLastingThread(builder(command, log));
        var postgres = new EmbeddedPostgres(directory, process, port, password);
        postgres.awaitReady(log);
        return postgres;
    }

    /** The kernel sends the death signal when the thread that started the process ends, so that one must not end. */
    private static Process startFromLastingThread(ProcessBuilder builder) throws IOException {
        var started = new CompletableFuture<Process>();
        Thread.ofPlatform().daemon().name("embedded-postgres").start(() -> {
            try {
                Process process = builder.start();
                started.complete(process);
                process.waitFor();
            } catch (IOException e) {
                started.completeExceptionally(e);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            return started.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void awaitReady(Path log) throws IOException {
        Instant deadline = Instant.now().plus(START_LIMIT);
        while (Instant.now().isBefore(deadline)) {
            if (!process.isAlive()) {
                throw new SettingsException("The embedded PostgreSQL ended at once; " + log + " says why.");
            }
            try (var _ = DriverManager.getConnection(jdbcUrl, USER, password)) {
                return;
            } catch (SQLException _) {
                pause();
            }
        }
        close();
        throw new SettingsException("The embedded PostgreSQL in " + directory + " did not start within "
                + START_LIMIT.toSeconds() + " s; " + log + " says why.");
    }

    /** Ends the PostgreSQL that a killed service left on the same data, since two of them would spoil it. */
    private static void stopLeftover(Path cluster) throws IOException {
        Path pidFile = cluster.resolve("postmaster.pid");
        Instant deadline = Instant.now().plus(START_LIMIT);
        for (int attempt = 0; Instant.now().isBefore(deadline); attempt++) {
            if (!Files.exists(pidFile)) {
                return;
            }
            Optional<ProcessHandle> leftover = Files.readAllLines(pidFile).stream()
                    .findFirst()
                    .flatMap(line -> ProcessHandle.of(Long.parseLong(line.strip())))
                    .filter(handle -> isPostgres(handle, cluster));
            if (leftover.isEmpty()) {
                Files.deleteIfExists(pidFile);
                return;
            }
            // The kernel has usually told it to stop already; a second signal hastens nothing but a forgotten one.
            if (attempt == 20 || attempt == 200) {
                signal(leftover.get().pid(), attempt == 20 ? "INT" : "QUIT");
            }
            pause();
        }
        throw new SettingsException("Another PostgreSQL still uses " + cluster + ".");
    }

    private static boolean isPostgres(ProcessHandle handle, Path cluster) {
        try {
            String commandLine = Files.readString(Path.of("/proc", Long.toString(handle.pid()), "cmdline"));
            return commandLine.contains("postgres") && commandLine.contains(cluster.toString());
        } catch (IOException _) {
            return false;
        }
    }

    private static ProcessBuilder builder(List<String> command, Path log) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        // Nothing of the service's environment, secrets least of all, belongs in PostgreSQL's.
        String path = System.getenv("PATH");
        builder.environment().clear();
        builder.environment().put("PATH", path == null ? "/usr/sbin:/usr/bin:/sbin:/bin" : path);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** What goes before a command of PostgreSQL's: nothing for ordinary users, for root whatever sheds root. */
    private static List<String> unprivileged(Path directory) throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        if (succeeds("unshare", "--user", "true")) {
            return List.of("unshare", "--user");
        }
        if (!succeeds("chown", "-R", "65534:65534", directory.toString())) {
            throw new SettingsException(
                    "The embedded PostgreSQL cannot run as root here: start Parley as another user or set PARLEY_DB_URL.");
        }
        return List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    }

    private static boolean succeeds(String... command) throws IOException {
        if (!onPath(command[0])) {
            return false;
        }
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private static boolean onPath(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
        return Arrays.stream(path.split(":")).anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
    }

    private static void signal(long pid, String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
        } catch (IOException _) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(25);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
