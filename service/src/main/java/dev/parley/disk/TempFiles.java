package dev.parley.disk;

import dev.parley.settings.Settings;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Temporary files, in a directory of this process under the data directory. The creator of a file deletes it; files of
 * a killed process are deleted, and its child processes killed, at the next start of any service on the same data directory.
 */
@Startup
@Singleton
public final class TempFiles {
    /** Its name in the data directory. */
    public static final String DIRECTORY = "scratch";

    private static final Logger LOG = Logger.getLogger(TempFiles.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path data;
    private final String name = HexFormat.of().toHexDigits(RANDOM.nextInt());
    private @Nullable DirectoryLocks leases;

    public TempFiles(Settings.Storage storage) {
        this.data = storage.directory().toAbsolutePath();
        Thread.ofPlatform().daemon().name("temp-file-sweep").start(this::sweep);
    }

    /** The directory with the temporary files of all processes. */
    public Path root() {
        return data.resolve(DIRECTORY);
    }

    /** Creates a new file. */
    public Path file(String kind) throws IOException {
        return Files.createTempFile(own(), kind, ".part");
    }

    /** Creates a new directory. */
    public Path directory(String kind) throws IOException {
        return Files.createTempDirectory(own(), kind);
    }

    /** For the end of a piece of work. If deletion fails, the file is deleted with the directory of the process. */
    public static void delete(@Nullable Path fileOrDirectory) {
        try {
            if (fileOrDirectory != null) {
                FileTrees.delete(fileOrDirectory);
            }
        } catch (IOException e) {
            LOG.warnf("Temporary file could not be deleted: %s", e);
        }
    }

    private Path own() throws IOException {
        return leases().acquire(name, _ -> {});
    }

    private synchronized DirectoryLocks leases() throws IOException {
        DirectoryLocks current = leases;
        if (current == null) {
            current = new DirectoryLocks(root());
            leases = current;
        }
        return current;
    }

    private void sweep() {
        try {
            own();
            leases().sweep(MarkedProcesses::kill);
            // Earlier builds unpacked the table engine here.
            FileTrees.delete(data.resolve("document"));
        } catch (IOException e) {
            LOG.warnf("Files of earlier processes could not be deleted: %s", e);
        }
    }

    @PreDestroy
    void close() {
        try {
            leases().release(name);
        } catch (IOException e) {
            LOG.warnf("Files of this process could not be deleted: %s", e);
        }
    }
}
