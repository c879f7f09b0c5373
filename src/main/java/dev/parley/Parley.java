package dev.parley;

import dev.parley.db.EmbeddedPostgres;
import dev.parley.node.NodeLease;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Starts the service: settings, the embedded PostgreSQL where no other is given, then everything else. */
@QuarkusMain
public final class Parley {
    private static final int REFUSED = 2;

    private Parley() {}

    public static void main(String[] args) {
        try {
            start(args);
        } catch (SettingsException e) {
            System.err.println("parley: " + e.getMessage());
            System.exit(REFUSED);
        }
    }

    private static void start(String[] args) {
        Settings settings = Settings.load();
        if (settings.database().isEmpty()) {
            lock(settings.data());
            startEmbedded(settings.data());
        }
        System.setProperty("quarkus.http.host", settings.host());
        System.setProperty("quarkus.http.port", Integer.toString(settings.port()));
        System.setProperty("quarkus.shutdown.delay", settings.shutdownDelay().toMillis() + "MS");
        System.setProperty("quarkus.log.level", settings.logLevel());
        System.setProperty("quarkus.log.console.json.enabled", Boolean.toString(settings.logJson()));
        Quarkus.run(null, Parley::exited, args);
    }

    private static void exited(int code, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SettingsException) {
                System.err.println("parley: " + cause.getMessage());
                Runtime.getRuntime().halt(REFUSED);
            }
        }
        if (failure != null) {
            failure.printStackTrace();
        }
        // The embedded PostgreSQL ends after this process, by the kernel's signal.
        Runtime.getRuntime().halt(failure == null ? code : 1);
    }

    /** Starts it, and hands its address to everything else as if it had been set. */
    private static void startEmbedded(Path data) {
        System.setProperty(NodeLease.ONLY_NODE, "true");
        EmbeddedPostgres postgres = EmbeddedPostgres.start(data.resolve("postgres"));
        System.setProperty(Setting.PARLEY_DB_URL.name(), postgres.jdbcUrl());
        System.setProperty(Setting.PARLEY_DB_USER.name(), postgres.user());
        System.setProperty(Setting.PARLEY_DB_PASSWORD.name(), postgres.password());
    }

    /** Held as long as the process lives, so that two services never share one data directory. */
    private static void lock(Path data) {
        try {
            Files.createDirectories(data);
            FileChannel channel =
                    FileChannel.open(data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new SettingsException(
                        Setting.PARLEY_DATA, "names " + data + ", which another running Parley uses.");
            }
        } catch (IOException e) {
            throw new SettingsException(
                    Setting.PARLEY_DATA, "names " + data + ", which cannot be written: " + e.getMessage() + ".");
        }
    }
}
