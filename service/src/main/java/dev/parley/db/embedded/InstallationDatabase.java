package dev.parley.db.embedded;

import dev.parley.db.Database;
import dev.parley.settings.MachineSize;
import dev.parley.settings.ServiceSize;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;

/**
 * The database of an installation, for a command: the external one, the embedded one of the running service, or the
 * embedded one started for a moment if the data directory is not in use.
 */
public final class InstallationDatabase {
    /** Its name in the data directory. */
    private static final String POSTGRES = "postgres";

    private InstallationDatabase() {}

    /** @param isServiceRunning true also for an external database, where it is unknown */
    public record OpenDatabase(Database database, boolean isServiceRunning) {}

    /** The directory of the embedded PostgreSQL. */
    public static Path embedded(Settings.Storage storage) {
        return storage.directory().resolve(POSTGRES);
    }

    /** The file whose lock a running service holds; it has the id of its process. */
    public static Path lock(Settings.Storage storage) {
        return storage.directory().resolve("lock");
    }

    public static FileChannel lockFile(Settings.Storage storage) throws IOException {
        return FileChannel.open(lock(storage), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Runs work with the database; a problem is a {@link SettingsException}. */
    public static <T> T use(
            Settings.DatabaseConnection settings, Settings.Storage storage, Function<OpenDatabase, T> work) {
        if (settings.external().isPresent()) {
            try (Database database = connect(settings.external().get(), 1)) {
                return work.apply(new OpenDatabase(database, true));
            }
        }
        Path cluster = embedded(storage);
        if (!EmbeddedPostgres.exists(cluster)) {
            throw new SettingsException(
                    Setting.PARLEY_DATA, "(or --data) names " + storage.directory() + ", which has no data yet.");
        }
        try (FileChannel channel = lockFile(storage);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                try (Database database = EmbeddedPostgres.connectToRunning(cluster)
                        .orElseThrow(() -> new SettingsException("The service is starting: try again."))) {
                    return work.apply(new OpenDatabase(database, true));
                }
            }
            try (var postgres = EmbeddedPostgres.start(
                            cluster, ServiceSize.of(MachineSize.SMALLEST).postgres());
                    var database = Database.forCommand(postgres.jdbcUrl(), postgres.user(), postgres.password(), 1)) {
                return work.apply(new OpenDatabase(database, false));
            }
        } catch (IOException e) {
            throw new SettingsException(
                    Setting.PARLEY_DATA,
                    "names " + storage.directory() + ", which cannot be used: " + e.getMessage() + ".");
        }
    }

    /** Connects to an external database. */
    public static Database connect(Settings.ExternalDatabase where, int connections) {
        return Database.forCommand(where.jdbcUrl(), where.user(), where.password(), connections);
    }
}
