package dev.parley.chaos;

import dev.parley.TestSize;
import dev.parley.db.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/** A PostgreSQL shared by all nodes of a cluster, with a fresh database. */
final class SharedDatabase extends ChaosDatabase {
    private static final String NAME = "chaos";

    private final Path directory;
    private EmbeddedPostgres postgres;
    private boolean closed;

    private SharedDatabase(Path directory, EmbeddedPostgres postgres) {
        super(directory);
        this.directory = directory;
        this.postgres = postgres;
    }

    static SharedDatabase start(Path directory) {
        var database = new SharedDatabase(directory, EmbeddedPostgres.start(directory, TestSize.SMALLEST.postgres()));
        database.createDatabase();
        return database;
    }

    @Override
    Map<String, String> settings() {
        String url = postgres.jdbcUrl();
        return Map.of(
                "PARLEY_DB_URL", url.substring(0, url.lastIndexOf('/') + 1) + NAME,
                "PARLEY_DB_USER", postgres.user(),
                "PARLEY_DB_PASSWORD", postgres.password());
    }

    @Override
    String name() {
        return NAME;
    }

    /** Restarts it too, like an operator's supervisor. */
    @Override
    synchronized void killServer() throws IOException {
        if (closed) {
            return;
        }
        int port = URI.create(postgres.jdbcUrl().substring("jdbc:".length())).getPort();
        super.killServer();
        postgres = EmbeddedPostgres.start(directory, TestSize.SMALLEST.postgres(), port);
    }

    private void createDatabase() {
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + NAME + " WITH (FORCE)");
            statement.execute("CREATE DATABASE " + NAME);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    synchronized void close() {
        closed = true;
        postgres.close();
    }
}
