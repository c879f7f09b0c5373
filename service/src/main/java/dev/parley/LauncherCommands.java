package dev.parley;

import dev.parley.backup.BackupCommand;
import dev.parley.backup.RestoreCommand;
import dev.parley.backup.RestoredCopy;
import dev.parley.console.PasswordResetCommand;
import dev.parley.db.embedded.InstallationDatabase;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import dev.parley.support.SupportBundle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The commands of the launcher that run for a moment, also while the service runs. */
final class LauncherCommands {
    private static final String ACTIVATE = "activate";
    private static final String ACTIVE = "--active";
    private static final int FAILED = 1;

    private LauncherCommands() {}

    /** Runs a command and exits; returns if the arguments name none. */
    static void run(String[] args) {
        if (args.length == 0) {
            return;
        }
        List<String> rest = List.of(args).subList(1, args.length);
        switch (args[0]) {
            case PasswordResetCommand.NAME -> end(resetPassword(rest));
            case BackupCommand.NAME, RestoreCommand.NAME, ACTIVATE, SupportBundle.NAME -> runOrFail(args[0], rest);
            default -> {
                // Arguments of the service.
            }
        }
    }

    private static void end(List<String> lines) {
        lines.forEach(System.out::println);
        // Connection pools leave threads that are still ending.
        System.exit(0);
    }

    /** Fails with one sentence. */
    private static void runOrFail(String command, List<String> args) {
        try {
            end(
                    switch (command) {
                        case BackupCommand.NAME -> BackupCommand.run(backupSettings(), release(), file(args));
                        case RestoreCommand.NAME ->
                            RestoreCommand.run(backupSettings(), file(args), args.contains(ACTIVE));
                        case ACTIVATE -> activate();
                        default -> diagnose(file(args));
                    });
        } catch (SettingsException | ApiProblem e) {
            fail(String.valueOf(e.getMessage()));
        } catch (IOException | RuntimeException e) {
            fail(command + " failed: " + e);
        }
    }

    private static void fail(String sentence) {
        System.err.println("parley: " + sentence);
        System.exit(FAILED);
    }

    private static Path file(List<String> args) {
        return args.stream()
                .filter(each -> !each.startsWith("--"))
                .findFirst()
                .map(Path::of)
                .orElseThrow(() -> new SettingsException("The command needs a file."));
    }

    private static List<String> resetPassword(List<String> args) {
        if (args.size() != 1) {
            throw new SettingsException("reset-password takes one email address.");
        }
        Settings settings = Settings.load();
        return PasswordResetCommand.run(
                new PasswordResetCommand.CommandSettings(settings.database(), settings.storage(), settings.publicUrl()),
                args.getFirst());
    }

    private static BackupCommand.BackupSettings backupSettings() {
        Settings settings = Settings.load();
        return new BackupCommand.BackupSettings(
                settings.database(),
                settings.storage(),
                settings.files(),
                settings.backup(),
                settings.size().postgres());
    }

    private static List<String> activate() {
        Settings settings = Settings.load();
        return InstallationDatabase.use(
                settings.database(),
                settings.storage(),
                open -> List.of(
                        RestoredCopy.activate(open.database())
                                ? "From its next start on the service continues the work of the original."
                                : "The database was active already."));
    }

    private static List<String> diagnose(Path file) throws IOException {
        return SupportBundle.write(file, release(), Settings.show(), () -> {
            Settings settings = Settings.load();
            return new SupportBundle.BundleSettings(
                    settings.database(), settings.storage(), settings.listener(), settings.monitoring());
        });
    }

    private static String release() {
        return Optional.ofNullable(LauncherCommands.class.getPackage().getImplementationVersion())
                .orElse("of a build");
    }
}
