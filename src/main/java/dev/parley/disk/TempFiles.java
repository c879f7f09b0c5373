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
 * Where files lie that are needed for one piece of work: a directory of this process under the data directory. Those who
 * make one delete it; what a killed process had, the next start of any service on the same data directory deletes.
 */
@Startup
@Singleton
public final class TempFiles {
    private static final Logger LOG = Logger.getLogger(TempFiles.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path data;
    private final String name = HexFormat.of().toHexDigits(RANDOM.nextInt());
    private @Nullable DirectoryLocks leases;

    public TempFiles(Settings.Storage storage) {
        this.data = storage.directory().toAbsolutePath();
        Thread.ofPlatform().daemon().name("scratch-sweep").start(this::sweep);
    }

    /** A file that was not there before. */
    public Path file(String kind) throws IOException {
        return Files.createTempFile(own(), kind, ".part");
    }

    /** A directory that was not there before. */
    public Path directory(String kind) throws IOException {
        return Files.createTempDirectory(own(), kind);
    }

    /** For where a piece of work ends: if it fails, the file goes with all others. */
    public static void delete(@Nullable Path fileOrDirectory) {
        try {
            if (fileOrDirectory != null) {
                FileTrees.delete(fileOrDirectory);
            }
        } catch (IOException e) {
            LOG.warnf("A file that is not needed any more could not be deleted: %s", e);
        }
    }

    private Path own() throws IOException {
        return leases().take(name, _ -> {});
    }

    private synchronized DirectoryLocks leases() throws IOException {
        DirectoryLocks current = leases;
        if (current == null) {
            current = new DirectoryLocks(data.resolve("scratch"));
            leases = current;
        }
        return current;
    }

    private void sweep() {
        try {
            own();
            leases().sweep();
            // Earlier builds unpacked the table engine there.
            FileTrees.delete(data.resolve("document"));
        } catch (IOException e) {
            LOG.warnf("Files of earlier processes could not be deleted: %s", e);
        }
    }

    @PreDestroy
    void close() {
        try {
            leases().giveBack(name);
        } catch (IOException e) {
            LOG.warnf("Files of this process could not be deleted: %s", e);
        }
    }
}
