package dev.parley.disk;

import dev.parley.settings.Setting;
import dev.parley.settings.SettingsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Checks that files can be written, by writing one. Permissions and free space alone do not tell on every system. */
public final class WritableDirectory {
    private static final int SAMPLE_BYTES = 64 * 1024;

    /** Two segments of PostgreSQL's log. */
    private static final long MIN_USABLE_BYTES = 32 << 20;

    private WritableDirectory() {}

    /** Creates the directory if necessary; throws if no file can be written to it. */
    public static void require(Setting setting, Path directory) {
        fault(directory).ifPresent(reason -> {
            throw new SettingsException(
                    setting, "leads to the directory " + directory + ", which cannot be written: " + reason + ".");
        });
    }

    /** Why no file can be written to the directory. Creates it if necessary. */
    public static Optional<String> fault(Path directory) {
        try {
            Files.createDirectories(directory);
            Path sample = Files.createTempFile(directory, "writable", ".part");
            try {
                Files.write(sample, new byte[SAMPLE_BYTES]);
            } finally {
                Files.deleteIfExists(sample);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(reason(e));
        }
    }

    /** Whether its file system has no room for a database, not counting what is reserved for root. */
    public static boolean isFull(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace() < MIN_USABLE_BYTES;
        } catch (IOException _) {
            return false;
        }
    }

    /** Whether a write failed because the file system, or the user's share of it, is full. */
    public static boolean isNoSpace(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("No space left on device") || message.contains("Disk quota exceeded");
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ ->
                "the user '" + System.getProperty("user.name") + "' does not have permission";
            case FileAlreadyExistsException other -> other.getFile() + " is not a directory";
            case NoSuchFileException other -> other.getFile() + " cannot be created";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
