package dev.parley.backup;

import dev.parley.backup.BackupCommand.BackupSettings;
import dev.parley.blob.local.FileStore;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.Migrations;
import dev.parley.db.embedded.EmbeddedPostgres;
import dev.parley.db.embedded.InstallationDatabase;
import dev.parley.disk.AtomicFile;
import dev.parley.disk.FileTrees;
import dev.parley.http.json.StrictJson;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.jspecify.annotations.Nullable;

/**
 * {@code parley restore FILE}: writes a backup to an installation without data. Reads all of it before it changes
 * anything, and leaves nothing behind if it fails. The copy starts on standby unless it is to be active.
 */
public final class RestoreCommand {
    public static final String NAME = "restore";

    private static final String STAGING = "restoring";

    private final BackupSettings settings;
    private final Path file;
    private final boolean active;
    private final Path data;
    private final Path secret;
    private final Path files;
    private final Path stagedFiles;
    private @Nullable BackupInfo info;
    private String masterKey = "";

    private RestoreCommand(BackupSettings settings, Path file, boolean active) {
        this.settings = settings;
        this.file = file;
        this.active = active;
        this.data = settings.storage().directory();
        this.secret = data.resolve(MasterKey.FILE);
        this.files = FileStore.completeFiles(settings.files().directory());
        this.stagedFiles = settings.files().directory().resolve(STAGING);
    }

    /** Returns the lines to print. */
    public static List<String> run(BackupSettings settings, Path file, boolean active) {
        return new RestoreCommand(settings, file, active).run();
    }

    private List<String> run() {
        BackupInfo backup = verified();
        try {
            Files.createDirectories(data);
            try (FileChannel channel = InstallationDatabase.lockFile(settings.storage());
                    FileLock lock = channel.tryLock()) {
                if (lock == null) {
                    throw new SettingsException("A running Parley uses the directory " + data + ".");
                }
                restore(backup);
            }
        } catch (IOException | SQLException e) {
            throw new SettingsException("The backup cannot be restored: " + BackupCommand.reason(e) + ".");
        }
        List<String> lines = new ArrayList<>();
        lines.add("The backup of " + backup.createdAt() + " is restored.");
        if (backup.bucket() != null) {
            lines.add("It has no files: they are in the bucket " + backup.bucket() + ".");
        }
        if (System.getProperty("user.name").equals("root")) {
            lines.add("The files belong to root: if the service runs as another user, make it the owner of " + data
                    + " first.");
        }
        lines.add(
                active
                        ? "The next start continues the work of the original, which must not run any more."
                        : "It starts on standby: 'parley activate' makes it continue the work of the original.");
        return lines;
    }

    /** Reads and checks everything. */
    private BackupInfo verified() {
        try {
            BackupArchive.read(file, settings.backup().passphrase(), (entry, content) -> {
                if (entry.getName().equals(BackupCommand.INFO)) {
                    info = StrictJson.mapper().readValue(content.readAllBytes(), BackupInfo.class);
                } else if (entry.getName().equals(BackupCommand.SECRET)) {
                    masterKey = new String(content.readAllBytes(), StandardCharsets.UTF_8).strip();
                }
            });
        } catch (SettingsException e) {
            throw e;
        } catch (IOException | SQLException | RuntimeException e) {
            String detail = e instanceof EOFException ? "its end is missing" : BackupCommand.reason(e);
            throw new SettingsException("The backup is damaged or incomplete: " + detail + ".");
        }
        if (info == null || info.format() != BackupInfo.FORMAT) {
            throw new SettingsException("The backup has a format that this release does not know.");
        }
        return info;
    }

    private void restore(BackupInfo backup) throws IOException, SQLException {
        boolean hasSecret = requireEmpty(backup);
        Optional<Settings.ExternalDatabase> external = settings.database().external();
        Path cluster = data.resolve(STAGING);
        boolean done = false;
        try {
            FileTrees.delete(cluster);
            FileTrees.delete(stagedFiles);
            if (external.isPresent()) {
                try (Database database = InstallationDatabase.connect(external.get(), 3)) {
                    fill(database, backup, hasSecret);
                }
            } else {
                try (var postgres = EmbeddedPostgres.start(cluster, settings.postgres());
                        var database =
                                Database.forCommand(postgres.jdbcUrl(), postgres.user(), postgres.password(), 3)) {
                    fill(database, backup, hasSecret);
                }
                Files.move(cluster, InstallationDatabase.embedded(settings.storage()));
            }
            done = true;
        } finally {
            if (!done) {
                FileTrees.delete(cluster);
                FileTrees.delete(stagedFiles);
                FileTrees.delete(files);
                if (!hasSecret) {
                    Files.deleteIfExists(secret);
                }
            }
        }
    }

    /** Returns whether the master key is there already. */
    private boolean requireEmpty(BackupInfo backup) throws IOException {
        Path cluster = InstallationDatabase.embedded(settings.storage());
        if (settings.database().external().isEmpty() && Files.exists(cluster)) {
            throw new SettingsException(data + " has a database already: restore into an empty directory.");
        }
        if (backup.bucket() == null && settings.files().bucket().isPresent()) {
            throw new SettingsException("The backup has files, which cannot be restored to a bucket:"
                    + " restore without PARLEY_S3_BUCKET.");
        }
        if (Files.exists(files)) {
            try (Stream<Path> found = Files.walk(files)) {
                if (found.anyMatch(Files::isRegularFile)) {
                    throw new SettingsException(files + " has files already: restore into an empty directory.");
                }
            }
        }
        Optional<String> present = settings.storage().secret();
        if (present.isEmpty() && Files.exists(secret)) {
            present = Optional.of(Files.readString(secret).strip());
        }
        if (present.isPresent() && !present.get().equals(masterKey)) {
            throw new SettingsException(
                    "PARLEY_SECRET, or the file " + secret + ", is not the master key of the backup.");
        }
        return present.isPresent();
    }

    /** The commit is last, so that an external database stays empty if a file cannot be written. */
    private void fill(Database database, BackupInfo backup, boolean hasSecret) throws IOException, SQLException {
        try (Database unlimited = database.unlimited();
                Connection connection = unlimited.dataSource().getConnection()) {
            new TableCopier(connection).requireEmpty();
            Migrations.runTo(database, "the database", backup.schema());
            connection.setAutoCommit(false);
            try (var tables = new TableCopier(connection)) {
                BackupArchive.read(file, settings.backup().passphrase(), (entry, content) -> {
                    if (entry.getName().startsWith(TableCopier.PREFIX)) {
                        tables.copyFrom(entry.getName(), content);
                    } else if (entry.getName().startsWith(BackupCommand.FILES)) {
                        restoreFile(entry, content);
                    }
                });
                tables.end();
            }
            RestoredCopy.mark(connection, active);
            if (!hasSecret) {
                AtomicFile.write(secret, out -> out.write((masterKey + "\n").getBytes(StandardCharsets.UTF_8)));
            }
            if (Files.exists(stagedFiles)) {
                FileTrees.delete(files);
                Files.move(stagedFiles, files);
            }
            connection.commit();
        }
    }

    private void restoreFile(TarArchiveEntry entry, InputStream content) throws IOException {
        Path target = stagedFiles
                .resolve(entry.getName().substring(BackupCommand.FILES.length()))
                .normalize();
        if (!target.startsWith(stagedFiles) || target.equals(stagedFiles)) {
            throw new IOException("an entry leaves its directory");
        }
        Files.createDirectories(target.getParent());
        try (FileChannel channel = FileChannel.open(
                target, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            content.transferTo(Channels.newOutputStream(channel));
            channel.force(true);
        }
        // The time is part of the version that the database has of a file.
        Files.setLastModifiedTime(target, entry.getLastModifiedTime());
    }
}
