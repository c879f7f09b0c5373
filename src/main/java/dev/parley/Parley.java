package dev.parley;

import dev.parley.console.StartupBanner;
import dev.parley.db.PostgresSupervisor;
import dev.parley.egress.EgressAllow;
import dev.parley.forwarded.TrustedProxies;
import dev.parley.http.wire.ListenerShutdown;
import dev.parley.node.NodeLease;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Starts the service: settings, the embedded PostgreSQL where no other is given, then everything else. */
@QuarkusMain
public final class Parley implements QuarkusApplication {
    private static final int FAILED = 1;
    private static final int REFUSED = 2;

    /** For the orderly end of a service that has lost its database. */
    private static final Duration END_LIMIT = Duration.ofSeconds(30);

    /** The one that this process started, to be stopped after everything that uses it. */
    private static volatile @Nullable PostgresSupervisor postgres;

    /** Kept here: a lock that nothing refers to is given back by the garbage collector. */
    private static volatile @Nullable FileLock dataLock;

    private final StartupBanner banner;

    Parley(StartupBanner banner) {
        this.banner = banner;
    }

    /** Called when everything is started: requests are answered from here on. */
    @Override
    public int run(String... args) {
        banner.text().ifPresent(System.out::println);
        Quarkus.waitForExit();
        return 0;
    }

    public static void main(String[] args) {
        try {
            start(args);
        } catch (SettingsException e) {
            System.err.println("parley: " + e.getMessage());
            System.exit(REFUSED);
        }
    }

    private static void start(String[] args) {
        Settings settings = listenable(checked(Settings.load()));
        if (settings.database().external().isEmpty()) {
            lock(settings.storage().directory());
            startEmbedded(settings.storage().directory());
        }
        System.setProperty("quarkus.http.host", settings.listener().host());
        System.setProperty(
                "quarkus.http.port", Integer.toString(settings.listener().port()));
        System.setProperty(
                "quarkus.shutdown.delay",
                settings.listener()
                                .shutdownDelay()
                                .plus(ListenerShutdown.LINGER)
                                .toMillis() + "MS");
        System.setProperty("quarkus.log.level", settings.logging().level());
        System.setProperty(
                "quarkus.log.console.json.enabled",
                Boolean.toString(settings.logging().json()));
        Quarkus.run(Parley.class, Parley::exited, args);
    }

    /** Reads now what would otherwise be read, and refused, when it is first used. */
    private static Settings checked(Settings settings) {
        EgressAllow.parse(settings.egress().allow());
        TrustedProxies.parse(settings.listener().trustedProxies());
        return settings;
    }

    private static void exited(int code, @Nullable Throwable failure) {
        Application application = Application.currentApplication();
        if (failure == null && application != null) {
            // Another thread, the signal's, may still be at it: nothing may end before the last request is answered.
            application.awaitShutdown();
        }
        stopPostgres();
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

    private static void refuse(@Nullable String sentence) {
        System.err.println("parley: " + sentence);
        Runtime.getRuntime().halt(REFUSED);
    }

    /** The kernel would end it together with this process, but then it might still be stopping when we are gone. */
    private static void stopPostgres() {
        PostgresSupervisor running = postgres;
        if (running != null) {
            running.close();
        }
    }

    /**
     * Finds out before anything is started whether the port is free, and chooses one where any will do: every address
     * that the service tells then has it.
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

    /** Starts it, and hands its address to everything else as if it had been set. */
    private static void startEmbedded(Path data) {
        System.setProperty(NodeLease.ONLY_NODE, "true");
        PostgresSupervisor started = PostgresSupervisor.start(data.resolve("postgres"), Parley::endWithoutPostgres);
        postgres = started;
        System.setProperty(Setting.PARLEY_DB_URL.name(), started.jdbcUrl());
        System.setProperty(Setting.PARLEY_DB_USER.name(), started.user());
        System.setProperty(Setting.PARLEY_DB_PASSWORD.name(), started.password());
    }

    /** Ends the process with a status that has a supervisor start it again. */
    private static void endWithoutPostgres() {
        Thread.ofPlatform().daemon().name("end-limit").start(() -> {
            LockSupport.parkNanos(END_LIMIT.toNanos());
            Runtime.getRuntime().halt(FAILED);
        });
        Quarkus.asyncExit(FAILED);
    }

    /** Held as long as the process lives, so that two services never share one data directory. */
    private static void lock(Path data) {
        try {
            Files.createDirectories(data);
            FileChannel channel =
                    FileChannel.open(data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            dataLock = channel.tryLock();
            if (dataLock == null) {
                throw new SettingsException(
                        Setting.PARLEY_DATA, "names " + data + ", which another running Parley uses.");
            }
        } catch (IOException e) {
            throw new SettingsException(
                    Setting.PARLEY_DATA, "names " + data + ", which cannot be written: " + e.getMessage() + ".");
        }
    }
}
