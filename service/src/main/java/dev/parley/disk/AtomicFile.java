package dev.parley.disk;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes a file that only its owner may read, and that appears under its name once it is complete and synced. */
public final class AtomicFile {
    private static final int BUFFER_BYTES = 128 * 1024;

    private AtomicFile() {}

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface ContentWriter<X extends Exception> {
        void write(OutputStream out) throws IOException, X;
    }

    /** Replaces an existing file; after a failure that one stays. */
    public static <X extends Exception> void write(Path file, ContentWriter<X> content) throws IOException, X {
        Path partial = beside(file);
        try {
            try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
                var out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
                content.write(out);
                out.flush();
                channel.force(true);
            }
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel channel = FileChannel.open(partial.resolveSibling(""), StandardOpenOption.READ)) {
                channel.force(true);
            }
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    /** Creates a temporary file in the same directory, which ends with this process at the latest. */
    private static Path beside(Path file) throws IOException {
        Path directory = file.toAbsolutePath().normalize().getParent();
        if (directory == null) {
            throw new IOException(file + " is a directory");
        }
        Path temporary = Files.createTempFile(directory, file.getFileName() + ".", ".partial");
        temporary.toFile().deleteOnExit();
        return temporary;
    }
}
