package dev.parley.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Directories that processes share under one parent, each named by up to eight hexadecimal digits. A user of one locks
 * its byte of the file {@code leases}; the kernel releases the lock however the process ends. So unused directories can
 * be distinguished from those of another live process on the same data directory, and deleted.
 */
public final class DirectoryLocks {
    private static final Logger LOG = Logger.getLogger(DirectoryLocks.class);
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{1,8}");
    private static final int MAX_LOCK_ATTEMPTS = 3_000;

    /** File locks belong to the process, not the thread, so only one thread at a time tries. */
    private static final Object PROCESS_LOCK = new Object();

    private final Path parent;

    /** Never closed: closing any channel on a file releases all locks of the process on it. */
    private final FileChannel channel;

    private final Map<String, FileLock> locks = new ConcurrentHashMap<>();

    /** Work on a directory that no other process uses. */
    public interface ExclusiveAction {
        void run(Path directory) throws IOException;
    }

    public DirectoryLocks(Path parent) throws IOException {
        this.parent = Files.createDirectories(parent);
        this.channel = FileChannel.open(
                parent.resolve("leases"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /**
     * Creates a directory if necessary, and locks it until the process ends or releases it.
     *
     * @param first cleans it up, if no other process is using it
     */
    public Path acquire(String name, ExclusiveAction first) throws IOException {
        Path directory = parent.resolve(name);
        if (!locks.containsKey(name)) {
            synchronized (PROCESS_LOCK) {
                lockDirectory(name, directory, first);
            }
        }
        return Files.createDirectories(directory);
    }

    private void lockDirectory(String name, Path directory, ExclusiveAction first) throws IOException {
        try (FileLock alone = exclusively(name)) {
            if (alone != null && Files.isDirectory(directory)) {
                first.run(directory);
            }
        }
        // Another process may be deleting it right now. Polls, because interrupting a thread that waits in the channel
        // would close it.
        for (int i = 0; i < MAX_LOCK_ATTEMPTS; i++) {
            try {
                FileLock lock = channel.tryLock(lockByte(name), 1, true);
                if (lock != null) {
                    locks.put(name, lock);
                    return;
                }
            } catch (OverlappingFileLockException _) {
                // Another user in this process holds it.
                return;
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        throw new IOException("another process keeps deleting " + directory);
    }

    /** Deletes a locked directory, unless another process holds it too. */
    public void release(String name) throws IOException {
        synchronized (PROCESS_LOCK) {
            FileLock lock = locks.remove(name);
            if (lock != null) {
                lock.release();
                deleteUnlessHeld(name, _ -> {});
            }
        }
    }

    /** Deletes the directories that no process holds. */
    public void sweep() {
        sweep(_ -> {});
    }

    /**
     * The same.
     *
     * @param last runs before a directory is deleted
     */
    public void sweep(ExclusiveAction last) {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, Files::isDirectory)) {
            for (Path directory : directories) {
                String name = directory.getFileName().toString();
                if (NAME.matcher(name).matches()) {
                    synchronized (PROCESS_LOCK) {
                        deleteUnlessHeld(name, last);
                    }
                }
            }
        } catch (IOException e) {
            LOG.warnf("Old files in %s could not be deleted: %s", parent, e);
        }
    }

    private void deleteUnlessHeld(String name, ExclusiveAction last) throws IOException {
        try (FileLock alone = exclusively(name)) {
            if (alone != null) {
                last.run(parent.resolve(name));
                FileTrees.delete(parent.resolve(name));
            }
        }
    }

    private @Nullable FileLock exclusively(String name) throws IOException {
        try {
            return channel.tryLock(lockByte(name), 1, false);
        } catch (OverlappingFileLockException _) {
            return null;
        }
    }

    private static long lockByte(String name) {
        return Long.parseLong(name, 16);
    }
}
