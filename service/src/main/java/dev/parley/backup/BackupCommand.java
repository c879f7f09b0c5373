package dev.parley.backup;

import dev.parley.blob.local.FileStore;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.embedded.InstallationDatabase;
import dev.parley.disk.AtomicFile;
import dev.parley.http.json.StrictJson;
import dev.parley.settings.PostgresSize;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code parley backup FILE}: writes the database, the files and the master key to one file, also while the service runs.
 * The database is that of one moment, and every file that it names is in the backup (docs/decisions/0203).
 */
public final class BackupCommand {
    public static final String NAME = "backup";

    static final String INFO = "backup.json";
    static final String SECRET = MasterKey.FILE;
    static final String FILES = "files/";

    /** How far the clocks of nodes and file servers may differ. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(10);

    private static final String SCHEMA =
            "SELECT version FROM flyway_schema_history WHERE success AND version IS NOT NULL"
                    + " ORDER BY installed_rank DESC LIMIT 1";

    private final Settings.Files files;
    private final BackupArchive.Writer archive;

    private BackupCommand(Settings.Files files, BackupArchive.Writer archive) {
        this.files = files;
        this.archive = archive;
    }

    /** The settings of an installation, and the size of its embedded PostgreSQL. */
    public record BackupSettings(
            Settings.DatabaseConnection database,
            Settings.Storage storage,
            Settings.Files files,
            Settings.Backup backup,
            PostgresSize postgres) {}

    /** Returns the lines to print. */
    public static List<String> run(BackupSettings settings, String release, Path file) {
        return InstallationDatabase.use(
                settings.database(), settings.storage(), open -> run(settings, release, file, open.database()));
    }

    private static List<String> run(BackupSettings settings, String release, Path file, Database database) {
        String masterKey = new MasterKey(settings.storage(), database).text();
        List<String> lines = new ArrayList<>();
        lines.add("The backup is in " + file + ".");
        try {
            AtomicFile.<SQLException>write(
                    file,
                    out -> BackupArchive.write(
                            out, settings.backup().passphrase(), archive -> new BackupCommand(settings.files(), archive)
                                    .write(database, release, masterKey)));
        } catch (IOException e) {
            throw new SettingsException("The backup cannot be written: " + reason(e) + ".");
        } catch (SQLException e) {
            throw new SettingsException("The database cannot be copied: " + reason(e) + ".");
        }
        settings.files()
                .bucket()
                .ifPresent(bucket -> lines.add("The files in the bucket " + bucket + " are not part of it."));
        if (settings.backup().passphrase().isEmpty()) {
            lines.add("It is not encrypted and contains the master key: keep it as safe as the key.");
        }
        return lines;
    }

    /** The first line of a message, without a period. */
    static String reason(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceFirst("[.]$", "");
    }

    /**
     * Files are never changed, and are deleted only after the database stopped naming them. So those that the snapshot
     * names were there before it, and stay until they have been copied: most of them in the first pass, which takes long,
     * and new ones right after the snapshot was taken.
     */
    private void write(Database database, String release, String masterKey) throws IOException, SQLException {
        Instant start = Instant.now();
        try (Database unlimited = database.unlimited();
                Connection connection = unlimited.dataSource().getConnection()) {
            var info = new BackupInfo(
                    BackupInfo.FORMAT,
                    release,
                    schema(connection),
                    start,
                    files.bucket().orElse(null));
            add(INFO, StrictJson.write(info), start);
            add(SECRET, masterKey + "\n", start);
            if (files.bucket().isEmpty()) {
                addFiles(Instant.MIN);
            }
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            var tables = new TableCopier(connection);
            if (!schema(connection).equals(info.schema())) {
                throw new SettingsException("The database was upgraded meanwhile: start again.");
            }
            if (files.bucket().isEmpty()) {
                addFiles(start.minus(CLOCK_SKEW));
            }
            tables.copyTo(archive, FileTime.from(start));
            connection.rollback();
        }
    }

    private static String schema(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(SCHEMA)) {
            if (!rows.next()) {
                throw new SettingsException("The database has no tables of Parley yet.");
            }
            return rows.getString(1);
        }
    }

    private void add(String name, String text, Instant time) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        archive.add(name, bytes.length, FileTime.from(time), new ByteArrayInputStream(bytes));
    }

    /** Adds the files that were not last modified before a time. A file may be added twice. */
    private void addFiles(Instant since) throws IOException {
        Path root = FileStore.completeFiles(files.directory());
        if (!Files.isDirectory(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!attributes.lastModifiedTime().toInstant().isBefore(since)) {
                    addFile(FILES + root.relativize(file), file, attributes);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                return deleted(e);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                return e == null ? FileVisitResult.CONTINUE : deleted(e);
            }
        });
    }

    private static FileVisitResult deleted(IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw e;
    }

    private void addFile(String name, Path file, BasicFileAttributes attributes) throws IOException {
        InputStream content;
        try {
            content = Files.newInputStream(file);
        } catch (NoSuchFileException _) {
            return;
        }
        try (content) {
            archive.add(name, attributes.size(), attributes.lastModifiedTime(), content);
        }
    }
}
