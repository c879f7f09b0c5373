package dev.parley.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jboss.logging.Logger;

/**
 * Child processes that work for a locked directory of {@link DirectoryLocks}. Their commands name its device and inode,
 * because the same path may be another directory in another container.
 */
public final class MarkedProcesses {
    private static final Logger LOG = Logger.getLogger(MarkedProcesses.class);

    private MarkedProcesses() {}

    /** The argument for the JVM of a child. */
    public static String marker(Path directory) throws IOException {
        return "-Dparley.files="
                + Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    }

    /** Kills the children of a killed service. Only for a directory that no live service has locked. */
    public static void kill(Path directory) throws IOException {
        String marker = marker(directory);
        ProcessHandle.allProcesses()
                .filter(process -> command(process).contains(marker))
                .forEach(process -> {
                    LOG.infof("Process %d of an earlier service is killed", process.pid());
                    process.destroyForcibly();
                });
    }

    /** The whole command, of which {@link ProcessHandle.Info} has only the beginning. */
    private static String command(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid(), "cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return ""; // It has exited, or the system hides processes of other users.
        }
    }
}
