package dev.parley.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The embedded PostgreSQL that a node starts and supervises. */
final class NodeDatabase extends ChaosDatabase {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

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
        // The kernel signals it to stop when its node ends, but it still writes its last checkpoint.
        try {
            server().ifPresent(server -> server.onExit()
                    .orTimeout(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
