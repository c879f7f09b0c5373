package dev.parley.console;

import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.embedded.InstallationDatabase;
import dev.parley.organization.passwordreset.PasswordResetLinks;
import dev.parley.organization.user.UserStore;
import dev.parley.organization.user.UserStore.ResettableAccount;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
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
        return InstallationDatabase.use(settings.database(), settings.storage(), open -> {
            List<String> lines = new ArrayList<>(links(settings, open.database(), email));
            if (!open.isServiceRunning()) {
                lines.add("The service is not running: start it before you open the link.");
            }
            return lines;
        });
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
