package dev.parley.db.embedded;

import dev.parley.db.Database;
import dev.parley.settings.PostgresSize;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * PostgreSQL from the jar, with its data in a directory, for the life of this process. The kernel stops it when the
 * process ends in any way ({@code setpriv --pdeathsig}); it commits with fsync like any other PostgreSQL. PostgreSQL
 * refuses to run as root, so for root it runs in a user namespace, or as the user {@code nobody} if there are none.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** Covers a start that replays the WAL since the last checkpoint. */
    private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(10);

    private static final Duration ORPHAN_LIMIT = Duration.ofSeconds(10);
    /** The line of postmaster.pid with the port. */
    private static final int PORT_LINE = 3;

    private static final String CANNOT_CONNECT_NOW = "57P03";

    private final PostgresInstallation installation;
    private final PostgresSize size;
    private final Process process;
    private final int port;

    private EmbeddedPostgres(PostgresInstallation installation, PostgresSize size, Process process, int port) {
        this.installation = installation;
        this.size = size;
        this.process = process;
        this.port = port;
    }

    /** Starts it, creating the cluster if necessary. Takes under a second on existing data. */
    public static EmbeddedPostgres start(Path directory, PostgresSize size) {
        return start(directory, size, 0);
    }

    /** Starts it on a given port, for a restart under clients that know the address. */
    public static EmbeddedPostgres start(Path directory, PostgresSize size, int port) {
        try {
            PostgresInstallation installation = PostgresInstallation.prepare(directory);
            stopLeftover(installation);
            installation.deleteOthers();
            Files.deleteIfExists(installation.log());
            return run(installation, size, port == 0 ? freePort() : port);
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /**
     * Connects to the PostgreSQL that another process runs in the directory.
     *
     * @return empty if none has been started there
     */
    public static Optional<Database> connectToRunning(Path directory) {
        try {
            List<String> pidFile =
                    Files.readAllLines(PostgresInstallation.cluster(directory).resolve("postmaster.pid"));
            int port = Integer.parseInt(pidFile.get(PORT_LINE).strip());
            return Optional.of(Database.forCommand(
                    jdbcUrl(port), PostgresInstallation.USER, PostgresInstallation.readPassword(directory), 1));
        } catch (NoSuchFileException | IndexOutOfBoundsException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw unusable(directory, e);
        }
    }

    /** Whether the directory holds a cluster. */
    public static boolean exists(Path directory) {
        return Files.exists(PostgresInstallation.cluster(directory).resolve("PG_VERSION"));
    }

    /** Restarts it on the same port after its server process exited; appends to its log. */
    EmbeddedPostgres restart() {
        try {
            stopLeftover(installation);
            return run(installation, size, port);
        } catch (IOException e) {
            throw unusable(installation.directory(), e);
        }
    }

    private static SettingsException unusable(Path directory, IOException e) {
        return new SettingsException("The embedded PostgreSQL cannot use " + directory + ": " + e.getMessage() + ".");
    }

    Path directory() {
        return installation.directory();
    }

    public String jdbcUrl() {
        return jdbcUrl(port);
    }

    private static String jdbcUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    public String user() {
        return PostgresInstallation.USER;
    }

    public String password() {
        return installation.password();
    }

    /** Waits until its server process exits, and returns the exit status. */
    int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    /** Stops it with a checkpoint, so that the next start is fast. */
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

    private static EmbeddedPostgres run(PostgresInstallation installation, PostgresSize size, int port)
            throws IOException {
        List<String> command = new ArrayList<>(installation.unprivileged());
        if (PostgresInstallation.onPath("setsid")) {
            // Ctrl-C signals the whole process group of the terminal: PostgreSQL must outlive the service's own
            // shutdown.
            command.add("setsid");
        }
        if (PostgresInstallation.onPath("setpriv")) {
            command.addAll(List.of("setpriv", "--pdeathsig", "INT"));
        }
        command.addAll(List.of(
                installation.binaries().resolve("bin/postgres").toString(),
                "-D",
                installation.cluster().toString()));
        for (String option : List.of(
                "port=" + port,
                "cluster_name=" + installation.clusterName(),
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "max_connections=" + size.connections(),
                "shared_buffers=" + size.sharedBuffersMegabytes() + "MB",
                "max_wal_size=" + size.maxWalMegabytes() + "MB",
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
        Process process = startFromLastingThread(PostgresInstallation.builder(command, installation.log()));
        var postgres = new EmbeddedPostgres(installation, size, process, port);
        try {
            postgres.awaitReady();
        } catch (IOException | SettingsException e) {
            postgres.stopUnready();
            throw e;
        }
        return postgres;
    }

    /**
     * The kernel sends the death signal when the thread that started the process ends, so that thread must be
     * permanent.
     */
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
            // Not interruptible: the process would start anyway, and nothing would stop it.
            return started.join();
        } catch (CompletionException e) {
            throw new IOException(e.getCause());
        }
    }

    private void awaitReady() throws IOException {
        Instant startedAt = Instant.now();
        Duration waited = Duration.ZERO;
        Duration limit = START_LIMIT;
        while (waited.compareTo(limit) < 0) {
            if (!process.isAlive()) {
                throw new SettingsException(
                        "The embedded PostgreSQL ended at once; " + installation.log() + " says why.");
            }
            try (var _ =
                    DriverManager.getConnection(jdbcUrl() + "?connectTimeout=5&socketTimeout=10", user(), password())) {
                return;
            } catch (SQLException e) {
                limit = CANNOT_CONNECT_NOW.equals(e.getSQLState()) ? RECOVERY_LIMIT : START_LIMIT;
                pause();
            }
            waited = Duration.between(startedAt, Instant.now());
        }
        throw new SettingsException("The embedded PostgreSQL in " + installation.directory() + " did not start within "
                + limit.toSeconds() + " s; " + installation.log() + " says why.");
    }

    /** Stops it also for an interrupted caller that must not wait long. */
    private void stopUnready() {
        boolean interrupted = Thread.interrupted();
        close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Stops a PostgreSQL that a killed service left running on the same data, because two would corrupt it, and then
     * its orphaned processes: they hold shared memory that blocks a new server.
     */
    private static void stopLeftover(PostgresInstallation installation) throws IOException {
        Path pidFile = installation.cluster().resolve("postmaster.pid");
        Instant deadline = Instant.now().plus(START_LIMIT);
        for (int attempt = 0; Instant.now().isBefore(deadline); attempt++) {
            Optional<ProcessHandle> leftover = server(pidFile, installation.cluster());
            if (leftover.isEmpty()) {
                killOrphans(installation.clusterName());
                Files.deleteIfExists(pidFile);
                return;
            }
            // The kernel has usually signalled it already; a second signal only helps if the first was missed.
            if (attempt == 20 || attempt == 200) {
                signal(leftover.get().pid(), attempt == 20 ? "INT" : "QUIT");
            }
            pause();
        }
        throw new SettingsException("Another PostgreSQL still uses " + installation.cluster() + ".");
    }

    private static Optional<ProcessHandle> server(Path pidFile, Path cluster) throws IOException {
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        return Files.readAllLines(pidFile).stream()
                .findFirst()
                .flatMap(line -> ProcessHandle.of(Long.parseLong(line.strip())))
                .filter(handle -> isServer(handle, cluster));
    }

    private static boolean isServer(ProcessHandle handle, Path cluster) {
        String commandLine = commandLine(handle);
        return commandLine.contains("postgres") && commandLine.contains(cluster.toString());
    }

    /** Their uncommitted work is lost anyway, as after a crash, so they need not exit cleanly. */
    private static void killOrphans(String clusterName) throws IOException {
        Instant deadline = Instant.now().plus(ORPHAN_LIMIT);
        while (Instant.now().isBefore(deadline)) {
            List<ProcessHandle> orphans = ProcessHandle.allProcesses()
                    .filter(handle -> commandLine(handle).startsWith("postgres: " + clusterName + ": "))
                    .toList();
            if (orphans.isEmpty()) {
                return;
            }
            orphans.forEach(ProcessHandle::destroyForcibly);
            pause();
        }
        throw new IOException("processes of an earlier PostgreSQL do not exit");
    }

    /** Empty for a process that exited; PostgreSQL overwrites its command line with each process's activity. */
    private static String commandLine(ProcessHandle handle) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(handle.pid()), "cmdline"));
        } catch (IOException _) {
            return "";
        }
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

    /**
     * Below the ephemeral ports: while the server is down, a client that connects to an ephemeral port may be assigned
     * that port for its own end, and then occupies it.
     */
    private static int freePort() throws IOException {
        int lowest = 10_240;
        int limit = firstOutgoingPort();
        for (int attempt = 0; attempt < 100 && limit > lowest; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(lowest, limit);
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException _) {
                // Another program uses the port.
            }
        }
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static int firstOutgoingPort() {
        try {
            String range = Files.readString(Path.of("/proc/sys/net/ipv4/ip_local_port_range"));
            return Integer.parseInt(range.strip().split("\\s+", -1)[0]);
        } catch (IOException | NumberFormatException _) {
            return 0;
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
