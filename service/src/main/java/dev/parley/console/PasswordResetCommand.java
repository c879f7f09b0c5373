package dev.parley.console;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.embedded.EmbeddedPostgres;
import dev.parley.organization.passwordreset.PasswordResetLinks;
import dev.parley.organization.user.UserStore;
import dev.parley.organization.user.UserStore.ResettableAccount;
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
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code ./parley reset-password EMAIL}: prints a link with which the owner of an address sets a new password. Whoever
 * can run it can read the database, so it works for every account. It works while the service runs and while it does
 * not.
 */
public final class PasswordResetCommand {
    public static final String NAME = "reset-password";

    private PasswordResetCommand() {}

    /** Where the data is, and the address of the dashboard. */
    public record CommandSettings(
            Settings.DatabaseConnection database, Settings.Storage storage, Settings.PublicUrl publicUrl) {}

    /** Returns the lines to print; a problem is a {@link SettingsException}. */
    public static List<String> run(CommandSettings settings, String email) {
        Optional<Settings.ExternalDatabase> external = settings.database().external();
        if (external.isPresent()) {
            Settings.ExternalDatabase where = external.get();
            try (var database = new Database(where.jdbcUrl(), where.user(), where.password(), 1)) {
                return links(settings, database, email);
            }
        }
        return withEmbedded(settings, email);
    }

    /** Uses the PostgreSQL of the running service, or starts it for a moment if the data directory is not in use. */
    private static List<String> withEmbedded(CommandSettings settings, String email) {
        Path data = settings.storage().directory();
        Path cluster = data.resolve("postgres");
        if (!EmbeddedPostgres.exists(cluster)) {
            throw new SettingsException(Setting.PARLEY_DATA, "(or --data) names " + data + ", which has no data yet.");
        }
        try (FileChannel channel =
                        FileChannel.open(data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                try (Database database = EmbeddedPostgres.connectToRunning(cluster)
                        .orElseThrow(() -> new SettingsException("The service is starting: try again."))) {
                    return links(settings, database, email);
                }
            }
            try (var postgres = EmbeddedPostgres.start(
                            cluster, ServiceSize.of(MachineSize.SMALLEST).postgres());
                    var database = new Database(postgres.jdbcUrl(), postgres.user(), postgres.password(), 1)) {
                List<String> lines = new ArrayList<>(links(settings, database, email));
                lines.add("The service is not running: start it before you open the link.");
                return lines;
            }
        } catch (IOException e) {
            throw new SettingsException(
                    Setting.PARLEY_DATA, "names " + data + ", which cannot be used: " + e.getMessage() + ".");
        }
    }

    public static List<String> links(CommandSettings settings, Database database, String email) {
        var links = new PasswordResetLinks(database, new MasterKey(settings.storage(), database), Clock.systemUTC());
        return database.transaction(() -> {
            List<ResettableAccount> accounts =
                    database.statements(UserStore.class).resettable(email);
            if (accounts.isEmpty()) {
                throw new SettingsException("No account has the email address " + email + ".");
            }
            List<String> lines = new ArrayList<>();
            for (ResettableAccount account : accounts) {
                String place = account.organization() == null ? "" : " in " + account.organization();
                lines.add("Set a new password for " + email + place + " with this link, once and within "
                        + PasswordResetLinks.LIFETIME.toMinutes() + " minutes:");
                lines.add("  " + settings.publicUrl().url() + PasswordResetLinks.PAGE
                        + links.create(account.user(), Optional.empty()).token());
            }
            return lines;
        });
    }
}
