package dev.parley;

import dev.parley.backup.RestoredCopy;
import dev.parley.console.StartupBanner;
import dev.parley.db.Database;
import dev.parley.db.embedded.InstallationDatabase;
import dev.parley.db.embedded.PostgresSupervisor;
import dev.parley.disk.TempFiles;
import dev.parley.disk.WritableDirectory;
import dev.parley.egress.EgressAllow;
import dev.parley.forwarded.TrustedProxies;
import dev.parley.http.wire.ListenerShutdown;
import dev.parley.node.NodeLease;
import dev.parley.settings.PostgresSize;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import dev.parley.trace.Tracing;
import io.quarkus.runtime.Application;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Entry point: loads the settings, starts the embedded PostgreSQL unless another one is configured, then the service.
 */
@QuarkusMain
public final class Parley implements QuarkusApplication {
    /** The argument that requires settings for production; {@code parley serve} passes it. */
    private static final String SERVE = "serve";

    private static final int FAILED = 1;
    private static final int REFUSED = 2;

    /** Time limit for an orderly shutdown after the database is lost. */
    private static final Duration END_LIMIT = Duration.ofSeconds(30);

    /** The instance started by this process; stopped after everything that uses it. */
    private static volatile @Nullable PostgresSupervisor postgres;

    /** Referenced here because the garbage collector would release an unreferenced lock. */
    private static volatile @Nullable FileLock dataLock;

    /** Whether the JVM is shutting down because of a signal. */
    private static volatile boolean stopping;

    /** Whether {@link #exited} will be called. */
    private static volatile boolean running;

    private final StartupBanner banner;

    Parley(StartupBanner banner) {
        this.banner = banner;
    }

    /** Called when startup is complete: requests are served from here on. */
    @Override
    public int run(String... args) {
        banner.text().ifPresent(System.out::println);
        Quarkus.waitForExit();
        return 0;
    }

    public static void main(String[] args) {
        try {
            LauncherCommands.run(args);
            start(args);
        } catch (SettingsException e) {
            refuse(e.getMessage());
        }
    }

    private static void start(String[] args) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("signal").unstarted(Parley::stopOnSignal));
        if (args.length > 0 && args[0].equals(SERVE)) {
            Settings.requireProduction();
        }
        Settings settings = listenable(checked(Settings.load()));
        if (settings.database().external().isEmpty()) {
            lock(settings.storage());
            startEmbedded(settings.storage(), settings.size().postgres());
        }
        standByIfRestored();
        System.setProperty("quarkus.http.host", settings.listener().host());
        System.setProperty(
                "quarkus.http.port", Integer.toString(settings.listener().port()));
        System.setProperty(
                "quarkus.shutdown.delay",
                settings.listener()
                                .shutdownDelay()
                                .plus(ListenerShutdown.IDLE_CLOSE_DELAY)
                                .toMillis() + "MS");
        System.setProperty(
                "quarkus.vertx.event-loops-pool-size",
                Integer.toString(settings.size().eventLoops()));
        System.setProperty("quarkus.log.level", settings.logging().level());
        System.setProperty(
                "quarkus.log.console.json.enabled",
                Boolean.toString(settings.logging().json()));
        Tracing.start();
        running = true;
        Quarkus.run(Parley.class, Parley::exited, args);
    }

    /**
     * Runs on SIGTERM and SIGINT only, because everything else ends this process by {@link Runtime#halt}. The JVM would
     * exit with 128 plus the number of the signal, possibly before PostgreSQL has stopped. Further signals are ignored.
     */
    private static void stopOnSignal() {
        stopping = true;
        while (running) {
            LockSupport.park(); // Until exited() ends the process.
        }
        stopPostgres();
        Runtime.getRuntime().halt(0);
    }

    /** Validates settings at startup that would otherwise be read, and rejected, at first use. */
    private static Settings checked(Settings settings) {
        EgressAllow.parse(settings.egress().allow());
        TrustedProxies.parse(settings.listener().trustedProxies());
        WritableDirectory.require(Setting.PARLEY_DATA, settings.storage().directory());
        WritableDirectory.require(
                Setting.PARLEY_DATA, settings.storage().directory().resolve(TempFiles.DIRECTORY));
        return settings;
    }

    private static void exited(int code, @Nullable Throwable failure) {
        Application application = Application.currentApplication();
        if (failure == null && application != null) {
            // The signal's thread may still be shutting down: the process must not exit before the last request is
            // answered.
            application.awaitShutdown();
        }
        Tracing.stop();
        stopPostgres();
        if (stopping) {
            Runtime.getRuntime().halt(0); // The start may have failed because of the signal.
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SettingsException) {
                refuse(cause.getMessage());
            }
            if (cause instanceof BindException) {
                refuse(taken(Settings.load()).getMessage());
            }
        }
        if (failure != null) {
            failure.printStackTrace();
        }
        Runtime.getRuntime().halt(failure == null ? code : FAILED);
    }

    private static void refuse(@Nullable String detail) {
        System.err.println("parley: " + detail);
        Runtime.getRuntime().halt(REFUSED);
    }

    /**
     * The kernel stops PostgreSQL with this process, but it might still be shutting down after this process has exited.
     */
    private static void stopPostgres() {
        PostgresSupervisor running = postgres;
        if (running != null) {
            running.close();
        }
    }

    /**
     * Checks before startup that the port is free, and picks a port if any will do, so that every published address
     * contains it.
     */
    private static Settings listenable(Settings settings) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(
                    settings.listener().host(), settings.listener().port()));
            System.setProperty(Setting.PARLEY_PORT.name(), Integer.toString(socket.getLocalPort()));
            return Settings.load();
        } catch (IOException _) {
            throw taken(settings);
        }
    }

    private static SettingsException taken(Settings settings) {
        return new SettingsException(
                Setting.PARLEY_PORT,
                "(or --port) names " + settings.listener().port() + " on "
                        + settings.listener().host()
                        + ", where the service cannot listen: another program has the port, or it is not allowed.");
    }

    /** Starts PostgreSQL and makes its address available as if it had been configured. */
    private static void startEmbedded(Settings.Storage storage, PostgresSize size) {
        System.setProperty(NodeLease.ONLY_NODE, "true");
        PostgresSupervisor started =
                PostgresSupervisor.start(InstallationDatabase.embedded(storage), size, Parley::endWithoutPostgres);
        postgres = started;
        System.setProperty(Setting.PARLEY_DB_URL.name(), started.jdbcUrl());
        System.setProperty(Setting.PARLEY_DB_USER.name(), started.user());
        System.setProperty(Setting.PARLEY_DB_PASSWORD.name(), started.password());
    }

    /** A restored copy must not do the work of the original again. */
    private static void standByIfRestored() {
        // The settings have the address of the embedded PostgreSQL now.
        Settings.ExternalDatabase where = Settings.load().database().external().orElseThrow();
        try (Database database = InstallationDatabase.connect(where, 1)) {
            if (RestoredCopy.isMarked(database)) {
                System.setProperty(Setting.PARLEY_STANDBY.name(), "true");
                System.err.println(
                        "parley: this is a restored copy, on standby until 'parley activate' and a restart.");
            }
        }
    }

    /** Exits with a status that makes a supervisor restart the process. */
    private static void endWithoutPostgres() {
        Thread.ofPlatform().daemon().name("shutdown-limit").start(() -> {
            LockSupport.parkNanos(END_LIMIT.toNanos());
            Runtime.getRuntime().halt(FAILED);
        });
        Quarkus.asyncExit(FAILED);
    }

    /** Held for the life of the process, so that two services never share a data directory. */
    private static void lock(Settings.Storage storage) {
        Path data = storage.directory();
        try {
            FileChannel channel = InstallationDatabase.lockFile(storage);
            dataLock = channel.tryLock();
            if (dataLock == null) {
                throw new SettingsException(
                        Setting.PARLEY_DATA, "names " + data + ", which another running Parley uses.");
            }
            // By this channel: closing another one of the file would release the lock.
            channel.truncate(0)
                    .write(StandardCharsets.US_ASCII.encode(
                            Long.toString(ProcessHandle.current().pid())));
        } catch (IOException e) {
            throw new SettingsException(
                    Setting.PARLEY_DATA, "names " + data + ", which cannot be written: " + e.getMessage() + ".");
        }
    }
}
