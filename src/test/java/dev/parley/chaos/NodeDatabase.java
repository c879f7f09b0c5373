package dev.parley.chaos;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The embedded PostgreSQL that a node starts and supervises. */
final class NodeDatabase extends ChaosDatabase {
    private final Path directory;

    /** @param data the node's {@code PARLEY_DATA} */
    NodeDatabase(Path data) {
        super(data.resolve("postgres"));
        this.directory = data.resolve("postgres");
    }

    @Override
    Map<String, String> settings() {
        return Map.of();
    }

    @Override
    String name() {
        return "postgres";
    }

    Path directory() {
        return directory;
    }

    /** Makes every start fail until {@link #restoreProgram}. */
    void hideProgram() throws IOException {
        Files.move(programs().resolve("postgres"), programs().resolve("hidden"));
    }

    void restoreProgram() throws IOException {
        Files.move(programs().resolve("hidden"), programs().resolve("postgres"));
    }

    private Path programs() throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "binaries-*")) {
            return found.iterator().next().resolve("bin");
        }
    }

    @Override
    void close() {
        // The kernel ends it with the node.
    }
}
